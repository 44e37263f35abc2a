import type { ConnectionRow } from './queries.ts'

/** A connection as its administrators see it: without the secret. */
export function shownConnection(row: ConnectionRow, publicUrl: string | undefined) {
  const { id, name, issuer, groupClaim, groupRoles, emergencyEmail, createdAt } = row
  return {
    id,
    name,
    issuer,
    groupClaim,
    groupRoles,
    clientID: row.clientId,
    redirectURI: `${publicUrl ?? ''}/app/sso`,
    domains: shownDomains(row),
    enforced: row.isEnforced,
    ...(emergencyEmail !== null && { emergencyAccount: emergencyEmail }),
    ...(row.scimTokenAt && { scimTokenDate: row.scimTokenAt.toISOString() }),
    createdDate: createdAt.toISOString(),
  }
}

export const shownDomains = ({ domains }: ConnectionRow) =>
  domains.map(({ domain, isVerified }) => ({ domain, verified: isVerified }))
