import type { SsoConnection } from '../../../api/shapes.ts'
import { type Preset, presets } from './presets.ts'

export interface GroupRow {
  /** Of this row on this page. */
  key: number
  group: string
  role: string
}

/** The fields of a single sign-on, as the form has them. */
export interface Draft {
  name: string
  issuer: string
  clientID: string
  /** Empty: as it is. */
  clientSecret: string
  domains: string[]
  groupClaim: string
  groups: GroupRow[]
  emergencyAccount: string
  enforced: boolean
}

/** What a preset fills in: nothing that somebody typed. */
export const withPreset = (draft: Draft, { name, issuer, groupClaim }: Preset): Partial<Draft> => ({
  groupClaim,
  ...(isFilledIn(draft.name) && { name }),
  ...(isFilledIn(draft.issuer) && { issuer: issuer.includes('<') ? '' : issuer }),
})

const isFilledIn = (text: string): boolean =>
  text === '' || presets.some(({ name, issuer }) => text === name || text === issuer)

export type AnySide = Omit<SsoConnection, 'groupRoles'> & { groupRoles: { group: string; role: string }[] }

export const draftOf = (connection: AnySide | undefined): Draft => ({
  name: connection?.name ?? '',
  issuer: connection?.issuer ?? '',
  clientID: connection?.clientID ?? '',
  clientSecret: '',
  domains: connection?.domains.map(({ domain }) => domain) ?? [],
  groupClaim: connection?.groupClaim ?? 'groups',
  groups: (connection?.groupRoles ?? [{ group: '', role: '' }]).map((row, key) => ({ ...row, key })),
  emergencyAccount: connection?.emergencyAccount ?? '',
  enforced: connection?.enforced ?? false,
})

/** What is sent. Rows without a group or a role are left out. */
export const bodyOf = (draft: Draft) => ({
  name: draft.name.trim(),
  issuer: draft.issuer.trim(),
  clientID: draft.clientID.trim(),
  ...(draft.clientSecret && { clientSecret: draft.clientSecret }),
  domains: draft.domains.map((domain) => domain.trim().replace(/^.*@/, '')),
  groupClaim: draft.groupClaim.trim(),
  groupRoles: draft.groups
    .filter(({ group, role }) => group.trim() && role)
    .map(({ group, role }) => ({ group: group.trim(), role })),
  emergencyAccount: draft.emergencyAccount.trim() || null,
  enforced: draft.enforced,
})

export type ConnectionBody = ReturnType<typeof bodyOf>
