import { z } from 'zod'
import { accountScope } from '../../domain/scopes.ts'
import { anyText, email } from '../../platform/http/fields.ts'
import { adminRoute } from '../../platform/http/route.ts'
import { invite } from './invitations.ts'
import { changeMember, listMembers, type Member, removeMember } from './members.ts'
import { BusinessRole, BusinessUser, InvitedUser } from './schema.ts'

const tag = 'Users'
const scope = accountScope
const params = z.object({ userID: anyText(64) })

const shown = (member: Member) => BusinessUser.parse(member)

export const listUsers = adminRoute({
  method: 'GET',
  path: '/users',
  id: 'listUsers',
  tag,
  summary: 'List the users of the business',
  scope,
  responses: { 200: z.array(BusinessUser) },
  handler: async ({ tx }) => ({ status: 200, body: (await listMembers(tx, tx.realm.businessId)).map(shown) }),
})

export const inviteUser = adminRoute({
  method: 'POST',
  path: '/users',
  id: 'inviteUser',
  tag,
  summary: 'Invite a user',
  description:
    'Sends an e-mail with a link. Where there is no mail server the link is in the answer instead, to be handed over. ' +
    'Inviting somebody again who has not accepted yet makes a new link.',
  scope,
  body: z.object({ email, role: BusinessRole }),
  responses: { 201: InvitedUser },
  errors: ['USER_EXISTS', 'FEATURE_NOT_ENABLED', 'RATE_LIMITED'],
  secret: true,
  handler: async ({ tx, body, access }) => {
    const { member, ...link } = await invite(tx, { ...body, side: tx.realm.businessId }, access)
    return { status: 201, body: { user: shown(member), ...link } }
  },
})

export const changeUser = adminRoute({
  method: 'PATCH',
  path: '/users/:userID',
  id: 'changeUser',
  tag,
  summary: 'Change the role of a user, or disable them',
  description: 'Counts at once; disabling ends the sessions of the user.',
  scope,
  params,
  body: z.object({ role: BusinessRole.optional(), disabled: z.boolean().optional() }),
  responses: { 200: BusinessUser },
  errors: ['USER_NOT_FOUND', 'LAST_ADMIN'],
  handler: async ({ tx, params, body, access }) => ({
    status: 200,
    body: shown(await changeMember(tx, tx.realm.businessId, params.userID, body, access)),
  }),
})

export const removeUser = adminRoute({
  method: 'DELETE',
  path: '/users/:userID',
  id: 'removeUser',
  tag,
  summary: 'Remove a user from the business',
  scope,
  params,
  responses: { 200: BusinessUser },
  errors: ['USER_NOT_FOUND', 'LAST_ADMIN'],
  handler: async ({ tx, params }) => ({
    status: 200,
    body: shown(await removeMember(tx, tx.realm.businessId, params.userID)),
  }),
})
