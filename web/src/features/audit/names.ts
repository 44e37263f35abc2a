import { useQueries } from '@tanstack/react-query'
import { requestIn, useRead } from '../../api/hooks.ts'
import type { OperatorAuditEntry } from '../../api/operator-shapes.ts'
import { t } from '../../language/t.ts'

/** What users and tokens are called, by `user:<ID>` and `token:<ID>`: as the audit names who did something. */
export type Names = ReadonlyMap<string, string>

interface Named {
  id: string
  name?: string
  email?: string
}

const named = (kind: string, all: readonly Named[] = []): [string, string][] =>
  all.map(({ id, name, email }) => [`${kind}:${id}`, name ?? email ?? id])

/** Of the business of the page. */
export function useNames(): Names {
  const users = useRead('/api/v1/users')
  const tokens = useRead('/api/v1/tokens')
  return new Map([...named('user', users.data), ...named('token', tokens.data)])
}

const BUSINESS = '/operator/v1/businesses/{businessID}'
// Each is one more request of the page.
const BUSINESSES = 10

/** Of the operator, and users of the businesses whose entries are shown. */
export function useOperatorNames(entries: readonly OperatorAuditEntry[] = []): Names {
  const staff = useRead('/operator/v1/staff')
  const tokens = useRead('/operator/v1/tokens')
  const byUsers = entries.filter(({ actor, objectType }) => actor.startsWith('user:') || objectType === 'user')
  const ids = [...new Set(byUsers.flatMap(({ business }) => business?.id ?? []))].slice(0, BUSINESSES)
  const businesses = useQueries({
    queries: ids.map((businessID) => {
      const init = { params: { path: { businessID } } }
      return {
        queryKey: ['', BUSINESS, init],
        queryFn: async () => (await requestIn(undefined)('get', BUSINESS, init)).data,
      }
    }),
  })
  return new Map([
    ...businesses.flatMap(({ data }) => named('user', data?.users)),
    ...named('user', staff.data),
    ...named('operator', tokens.data),
    ...named('token', tokens.data),
  ])
}

const others: Readonly<Record<string, string>> = {
  anonymous: t('Somebody who is not signed in'),
  carrier: t('The carrier'),
  cli: t('The command line'),
  job: t('The service'),
  recipient: t('The person tested'),
  sandbox: t('The sandbox'),
  scim: t('The identity provider'),
  share: t('Somebody with a shared link'),
  system: t('The service'),
}

// Enough to tell two IDs apart.
const SHOWN = 10
/** `usr_LDMhrKReEfadNdUKFqLLm6` as `usr_LDMhrK…`: only what nobody reads out. */
export const shortOf = (id: string): string => (/^[a-z]+_\w{16,}$/.test(id) ? `${id.slice(0, SHOWN)}…` : id)

/** Who did it: by name, else what they are. */
export function whoIs(actor: string, names: Names): string {
  const [kind = '', id = ''] = actor.split(':')
  const name = names.get(actor) ?? others[kind]
  if (name) return name
  if (kind === 'user') return t('User {id}', { id: shortOf(id) })
  return kind === 'token' || kind === 'operator' ? t('Token {id}', { id: shortOf(id) }) : actor
}
