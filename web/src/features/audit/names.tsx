import { useQueries } from '@tanstack/react-query'
import { requestIn, useRead } from '../../api/hooks.ts'
import type { OperatorAuditEntry } from '../../api/operator-shapes.ts'
import { useOperatorRoles } from '../../app/permissions.ts'
import { t } from '../../language/t.ts'

/** What users and tokens are called, by `user:<ID>` and `token:<ID>`: as the audit names who did something. */
export type Names = ReadonlyMap<string, string>

const named = (kind: string, all: readonly { id: string; name?: string; email?: string }[] = []) =>
  all.map(({ id, name, email }) => [`${kind}:${id}`, name ?? email ?? id] as const)

/** Of the business of the page, and of the operator's people who were there. */
export function useNames(): Names {
  const visitors = useRead('/api/v1/support-accesses').data?.data.map(({ user }) => user)
  const users = useRead('/api/v1/users').data
  return new Map([
    ...named('user', visitors),
    ...named('user', users),
    ...named('token', useRead('/api/v1/tokens').data),
  ])
}

const BUSINESS = '/operator/v1/businesses/{businessID}'
// Each is one more request of the page.
const BUSINESSES = 10

/** Of the operator, and users of the businesses whose entries are shown. */
export function useOperatorNames(entries: readonly OperatorAuditEntry[] = []): Names {
  // Nobody else may read them.
  const { isAdmin } = useOperatorRoles()
  const staff = useRead('/operator/v1/staff', {}, { enabled: isAdmin }).data
  const tokens = useRead('/operator/v1/tokens', {}, { enabled: isAdmin }).data
  const ofUsers = entries.filter(({ actor, objectType }) => actor.startsWith('user:') || objectType === 'user')
  const ids = [...new Set(ofUsers.flatMap(({ business }) => business?.id ?? []))].slice(0, BUSINESSES)
  const read = async (businessID: string) =>
    (await requestIn(undefined)('get', BUSINESS, { params: { path: { businessID } } })).data
  const businesses = useQueries({
    queries: ids.map((id) => ({ queryKey: ['', BUSINESS, id], queryFn: () => read(id) })),
  })
  const ofBusinesses = businesses.flatMap(({ data }) => named('user', data?.users))
  const ofTokens = ['operator', 'token'].flatMap((kind) => named(kind, tokens))
  return new Map([...ofBusinesses, ...named('user', staff), ...ofTokens])
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

/** `usr_LDMhrKReEfadNdUKFqLLm6` as `usr_LDMhrK…`: enough to tell two apart. */
export const shortOf = (id: string): string => (/^[a-z]+_\w{16,}$/.test(id) ? `${id.slice(0, 10)}…` : id)

/** Who did it: by name, else what they are. */
export function whoIs(actor: string, names: Names): string {
  const [kind = '', id = ''] = actor.split(':')
  if (kind === 'user') return names.get(actor) ?? t('User {id}', { id: shortOf(id) })
  if (kind === 'token' || kind === 'operator') return names.get(actor) ?? t('Token {id}', { id: shortOf(id) })
  return others[kind] ?? actor
}

/** Who of the operator did it. */
export const OfOperator = ({ actor }: { actor: string }): string => whoIs(actor, useOperatorNames())
