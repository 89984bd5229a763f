/** Time of each span encoder on the text, as `wordsplit bench` shows it, and the choice among them. */

import { useEffect, useRef, useState } from "preact/hooks";
import { engineFiles } from "../engine/bundled.js";
import { EngineWorker } from "../engine/client.js";
import type { Timing } from "../engine/protocol.js";
import { type OpenVocab, vocabs } from "../engine/vocabs.js";
import { page, update } from "../page.js";
import { useStore } from "../store.js";
import { VocabTabs } from "../vocabTabs.js";

const SECONDS = 0.4; // of each encoder's warm passes
const PATIENCE = 8; // seconds for one encoder; some take the square of a span's length
const LEAST = 1_000_000; // characters: shorter texts are repeated, because browsers' clocks are coarse

type Row = { timing: Timing } | { note: string } | undefined;

export function SpeedView() {
  const open = useStore(vocabs);
  const [chosen, choose] = useState("");
  const vocab = open.find((one) => one.key === chosen) ?? open[0];
  return (
    <div class="speed">
      <VocabTabs label="Time with" open={open} chosen={vocab} onChoose={(one) => choose(one.key)} />
      {vocab && <Bench key={vocab.key} vocab={vocab} />}
    </div>
  );
}

function Bench({ vocab }: { vocab: OpenVocab }) {
  const { encoder, text } = useStore(page);
  const { info } = useStore(vocab.state);
  const [rows, setRows] = useState<Record<string, Row>>({});
  const [running, setRunning] = useState<string>();
  const worker = useRef<EngineWorker>(undefined);
  const isLeft = useRef(false);
  useEffect(
    () => () => {
      isLeft.current = true;
      worker.current?.stop();
    },
    [],
  );
  const names = ["auto", ...(info?.encoders ?? [])];

  const run = async (): Promise<void> => {
    const timed = repeated(page.get().text);
    setRows({});
    for (const name of names) {
      setRunning(name);
      const row = await timedRow(vocab, name, timed, worker);
      if (isLeft.current) return;
      setRows((before) => ({ ...before, [name]: row }));
    }
    setRunning(undefined);
  };

  return (
    <>
      <p>
        The span encoders give the same ids in different ways. <em>First</em> is a new tokenizer's first pass over the text, and{" "}
        <em>warm</em> its best later passes, when frequent spans are in its cache. {text.length < LEAST ? `The text is repeated up to ${LEAST.toLocaleString("en")} characters.` : ""}
      </p>
      <p>
        <button class="main" disabled={!info || running !== undefined || !text} onClick={() => void run()}>
          {running ? `Timing ${running} …` : "Time every encoder"}
        </button>
      </p>
      <div class="scroll" tabIndex={0} role="group" aria-label="Times">
        <table>
          <thead>
            <tr>
              <th scope="col">span encoder</th>
              <th scope="col">first MB/s</th>
              <th scope="col">warm MB/s</th>
              <th scope="col">warm tokens/s</th>
              <th scope="col">ids</th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">
                  <label>
                    <input type="radio" name="encoder" checked={encoder === name} onChange={() => update({ encoder: name })} />{" "}
                    <code>{name}</code>
                  </label>
                </th>
                <Cells row={rows[name]} best={Math.max(...Object.values(rows).map(warmSpeed))} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="dim">All columns use the chosen encoder, but for those whose model it is not for.</p>
    </>
  );
}

function Cells({ row, best }: { row: Row; best: number }) {
  if (!row) return <td colSpan={4} />;
  if ("note" in row) return <td colSpan={4} class="dim">{row.note}</td>;
  const { bytes, tokens, firstSeconds, warmSeconds, sameIds } = row.timing;
  return (
    <>
      <td>{(bytes / firstSeconds / 1e6).toFixed(1)}</td>
      <td>
        <span class="bar" style={{ width: `${(70 * warmSpeed(row)) / best}px` }} />
        {(bytes / warmSeconds / 1e6).toFixed(1)}
      </td>
      <td>{Math.round(tokens / warmSeconds).toLocaleString("en")}</td>
      <td>{sameIds ? "same" : <strong class="error">other ids</strong>}</td>
    </>
  );
}

function warmSpeed(row: Row): number {
  return row && "timing" in row ? row.timing.bytes / row.timing.warmSeconds : 0;
}

/** Times one encoder in a worker of its own, which is stopped if it takes too long. */
async function timedRow(
  vocab: OpenVocab,
  encoder: string,
  text: string,
  current: { current: EngineWorker | undefined },
): Promise<Row> {
  const worker = new EngineWorker();
  current.current = worker;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    worker.stop();
  }, 1000 * PATIENCE);
  try {
    await worker.call("open", await vocab.source(), "auto", engineFiles());
    return { timing: await worker.call("time", encoder, text, page.get().special, SECONDS) };
  } catch (error) {
    return { note: isLate ? `stopped after ${PATIENCE} s` : `left out: ${(error as Error).message}` };
  } finally {
    clearTimeout(timer);
    worker.stop();
  }
}

function repeated(text: string): string {
  return text.length >= LEAST ? text : text.repeat(Math.ceil(LEAST / text.length));
}
