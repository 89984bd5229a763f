/** The messages of a chat, to be edited. */

import { type Message, type Role, ROLES } from "./message.js";

interface Props {
  messages: readonly Message[];
  onChange(messages: Message[]): void;
}

export function Messages({ messages, onChange }: Props) {
  const change = (at: number, more: Partial<Message>): void =>
    onChange(messages.map((message, i) => (i === at ? { ...message, ...more } : message)));
  const next: Role = messages.at(-1)?.role === "user" ? "assistant" : "user";
  return (
    <>
      <ol class="messages">
        {messages.map((message, i) => (
          <li key={i} class={message.role}>
            <div class="row">
              <select
                aria-label={`Role of message ${i + 1}`}
                value={message.role}
                onChange={(event) => change(i, { role: event.currentTarget.value as Role })}
              >
                {ROLES.map((role) => (
                  <option key={role}>{role}</option>
                ))}
              </select>
              <button
                class="quiet close"
                aria-label={`Remove message ${i + 1}`}
                title="Remove"
                onClick={() => onChange(messages.filter((_, at) => at !== i))}
              >
                ×
              </button>
            </div>
            <textarea
              rows={Math.min(8, message.content.split("\n").length + 1)}
              aria-label={`Content of message ${i + 1}`}
              value={message.content}
              onInput={(event) => change(i, { content: event.currentTarget.value })}
            />
          </li>
        ))}
      </ol>
      <p>
        <button onClick={() => onChange([...messages, { role: next, content: "" }])}>Add a message</button>
      </p>
    </>
  );
}
