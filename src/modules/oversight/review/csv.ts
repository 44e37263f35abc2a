import { csvCell } from '../../../platform/http/csv.ts'
import type { AccessReview } from './service.ts'

const header = [
  'Kind',
  'ID',
  'Name',
  'Business',
  'Mode',
  'Rights',
  'State',
  'Second factor',
  'Created',
  'Last sign-in',
  'Ends',
]

/** The review as a file: a row for each role of a user, and one for each token. */
export function reviewCsv({ users, tokens }: Pick<AccessReview, 'users' | 'tokens'>): string {
  const ofUsers = users.flatMap(({ id, email, isDisabled, hasSecondFactor, createdAt, signedInAt, roles }) => {
    const listed = roles.length > 0 ? roles : [{ role: '', businessName: undefined }]
    return listed.map(({ role, businessName }) => [
      ...['user', id, email, businessName ?? (role && 'The operator'), '', role, isDisabled ? 'disabled' : 'active'],
      ...[hasSecondFactor ? 'yes' : 'no', createdAt.toISOString(), signedInAt?.toISOString(), ''],
    ])
  })
  const ofTokens = tokens.map(({ id, name, businessName, mode, scopes, createdAt, expiresAt }) => [
    ...['token', id, name, businessName ?? 'The operator', mode ?? '', scopes.join(' '), 'active', ''],
    ...[createdAt.toISOString(), '', expiresAt?.toISOString()],
  ])
  return `\uFEFF${[header, ...ofUsers, ...ofTokens].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')}`
}
