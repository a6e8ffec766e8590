import type { Role } from "../../api/schema";

const ROLES: readonly Role[] = ["owner", "admin", "editor", "operator", "viewer"];

/** What somebody may make of others: only owners make and unmake owners. */
export function rolesFor(mine: Role): readonly Role[] {
  return mine === "owner" ? ROLES : ROLES.filter((role) => role !== "owner");
}
