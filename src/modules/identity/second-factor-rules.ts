import type { SecondFactorPolicy } from '../../domain/second-factor.ts'

/** How somebody showed who they are. `code`: of an authenticator app, or a recovery code. */
export type Proof = 'password' | 'code' | 'passkey'

/** What began a session: a proof, or the word of an identity provider. */
export type Beginning = Proof | 'provider'

export interface Factors {
  totpEnabled: boolean
  hasPasskey: boolean
}

/** A passkey checks its holder itself, so it counts as much as a password with a code. */
export const hasSecondFactor = ({ totpEnabled, hasPasskey }: Factors): boolean => totpEnabled || hasPasskey

/** The second factors of an account, as the page that asks for one names them. */
export const factorsOf = ({ totpEnabled, hasPasskey }: Factors): Proof[] => [
  ...(hasPasskey ? (['passkey'] as const) : []),
  ...(totpEnabled || hasPasskey ? (['code'] as const) : []),
]

/** Whether somebody must set up a second factor before anything else. An identity provider demands its own. */
export function mustSetUp(
  policy: SecondFactorPolicy,
  account: Factors & { connectionId?: string | null },
  memberships: readonly { businessId: string | null; demandsSecondFactor: boolean }[],
): boolean {
  if (hasSecondFactor(account) || account.connectionId) return false
  return memberships.some(
    ({ businessId, demandsSecondFactor }) => demandsSecondFactor || (policy === 'operators' && businessId === null),
  )
}
