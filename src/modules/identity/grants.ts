import { AppError } from '../../domain/errors.ts'
import { operatorScopesFor, type Role, scopesFor } from './rules.ts'

/** Who gives somebody a role, or a token: a token, or a person who is signed in. */
export interface Granter {
  callerId: string
  scopes: ReadonlySet<string>
  /** Who made the token, where it is one. */
  madeBy?: string
  /** The support access that the giver is there by. */
  support?: { id: string }
}

/** Links that open an account are shown to people only: what a machine is answered lies in logs and queues. */
export const isPerson = ({ callerId }: Granter): boolean => callerId.startsWith('usr_')

/** The person behind a caller, or the token where nobody is known: one person with two tokens is one person. */
export const personOf = ({ callerId, madeBy }: Granter): string => madeBy ?? callerId

/** All that these scopes can reach: a holder of `access` can give themselves access to any business. */
const reachOf = (scopes: Iterable<string>): ReadonlySet<string> => {
  const held = new Set<string>(scopes)
  return held.has('access') ? new Set([...held, ...scopesFor('operator-admin')]) : held
}

/** Refuses to give scopes that the giver does not hold. @throws FORBIDDEN */
export function refuseToGive(granter: Granter, scopes: Iterable<string>): void {
  const held = reachOf(granter.scopes)
  const lacking = [...reachOf(scopes)].find((scope) => !held.has(scope))
  if (lacking) throw new AppError('FORBIDDEN', `Nobody can give what they lack: ${lacking}`)
}

/** The same for a role. @throws FORBIDDEN */
export const refuseToGiveRole = (granter: Granter, role: Role): void =>
  refuseToGive(granter, [...operatorScopesFor(role), ...scopesFor(role)])
