/** A message of a chat. */

export const ROLES = ["system", "user", "assistant", "tool"] as const;
export type Role = (typeof ROLES)[number];

export interface Message {
  role: Role;
  content: string;
}
