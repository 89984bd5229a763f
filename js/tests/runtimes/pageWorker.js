/** The worker of page.js. */

import { load } from "wordsplit";

load("cl100k_base").then((tok) => postMessage([...tok.encode("hello world")]));
