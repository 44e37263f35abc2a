import { z } from 'zod'
import { anyText, email } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { invite } from './invitations.ts'
import { changeMember, listMembers, type Member, removeMember } from './members.ts'
import { InvitedStaff, OperatorRole, StaffUser } from './schema.ts'

const params = z.object({ userID: anyText(64) })
// The operator's own staff belong to no business.
const side = null

const shown = (member: Member) => StaffUser.parse(member)

const shared = { audience: 'operator', tag: 'Operator: staff', scope: 'staff' } as const

export const listStaff = defineRoute({
  ...shared,
  method: 'GET',
  path: '/staff',
  summary: "List the operator's staff",
  answers: { 200: z.array(StaffUser) },
  handler: async ({ tx }) => ({ status: 200, body: (await listMembers(tx, side)).map(shown) }),
})

export const inviteStaff = defineRoute({
  ...shared,
  method: 'POST',
  path: '/staff',
  summary: 'Invite somebody to the staff',
  effects: ['lets-in'],
  description:
    'Sends an e-mail with a link. A person sees the link too where there is no mail server. The role must hold nothing that the caller lacks.',
  body: z.object({ email, role: OperatorRole }),
  answers: { 201: InvitedStaff },
  errors: ['USER_EXISTS', 'SSO_REQUIRED', 'FEATURE_NOT_ENABLED'],
  needsProof: true,
  handler: async ({ tx, body, access }) => {
    const { member, ...link } = await invite(tx, { ...body, side }, access)
    return { status: 201, body: { user: shown(member), ...link } }
  },
})

export const changeStaff = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/staff/:userID',
  summary: 'Change the role of somebody of the staff, or disable them',
  effects: ['lets-in'],
  description: 'Counts at once; disabling ends their sessions.',
  params,
  body: z.object({ role: OperatorRole.optional(), disabled: z.boolean().optional() }),
  answers: { 200: StaffUser },
  errors: ['USER_NOT_FOUND', 'LAST_ADMIN', 'EMERGENCY_ACCOUNT_REQUIRED'],
  needsProof: true,
  handler: async ({ tx, params, body, access }) => ({
    status: 200,
    body: shown(await changeMember(tx, side, params.userID, body, access)),
  }),
})

export const removeStaff = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/staff/:userID',
  summary: 'Remove somebody from the staff',
  effects: ['deletes'],
  params,
  answers: { 200: StaffUser },
  errors: ['USER_NOT_FOUND', 'LAST_ADMIN', 'EMERGENCY_ACCOUNT_REQUIRED'],
  needsProof: true,
  handler: async ({ tx, params }) => ({ status: 200, body: shown(await removeMember(tx, side, params.userID)) }),
})
