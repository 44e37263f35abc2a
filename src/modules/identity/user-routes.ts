import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { accountScope } from '../../domain/scopes.ts'
import { anyText, email } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { invite } from './invitations.ts'
import { changeMember, keepMember, listMembers, type Member, removeMember } from './members.ts'
import { BusinessRole, BusinessUser, InvitedUser } from './schema.ts'

const params = z.object({ userID: anyText(64) })

const shown = (member: Member) => BusinessUser.parse(member)

const shared = { audience: 'business', tag: 'Users', scope: accountScope, acrossRealms: true } as const

export const listUsers = defineRoute({
  ...shared,
  method: 'GET',
  path: '/users',
  summary: 'List the users of the business',
  answers: { 200: z.array(BusinessUser) },
  handler: async ({ tx }) => ({ status: 200, body: (await listMembers(tx, tx.realm.businessId)).map(shown) }),
})

export const inviteUser = defineRoute({
  ...shared,
  method: 'POST',
  path: '/users',
  summary: 'Invite a user',
  effects: ['lets-in'],
  grants: ['invitation'],
  description:
    'Sends an e-mail with a link. Where there is no mail server the link is in the answer instead, to be handed over. ' +
    'Inviting somebody again who has not accepted yet makes a new link.',
  body: z.object({ email, role: BusinessRole }),
  answers: { 201: InvitedUser },
  errors: ['USER_EXISTS', 'SSO_REQUIRED', 'FEATURE_NOT_ENABLED'],
  needsProof: true,
  handler: async ({ tx, body, access }) => {
    const { member, ...link } = await invite(tx, { ...body, side: tx.realm.businessId }, access)
    return { status: 201, body: { user: shown(member), ...link } }
  },
})

export const changeUser = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/users/:userID',
  summary: 'Change the role of a user, or disable them',
  effects: ['lets-in'],
  grants: ({ body: { role, disabled } }) => (role !== undefined || disabled === false ? ['role'] : []),
  description: 'Counts at once; disabling ends the sessions of the user.',
  params,
  body: z.object({ role: BusinessRole.optional(), disabled: z.boolean().optional() }),
  answers: { 200: BusinessUser },
  errors: ['USER_NOT_FOUND', 'LAST_ADMIN', 'EMERGENCY_ACCOUNT_REQUIRED'],
  needsProof: true,
  handler: async ({ tx, params, body, access }) => ({
    status: 200,
    body: shown(await changeMember(tx, tx.realm.businessId, params.userID, body, access)),
  }),
})

export const keepUser = defineRoute({
  ...shared,
  method: 'POST',
  path: '/users/:userID/keep',
  summary: 'Keep a user whom the operator invited',
  effects: ['lets-in'],
  description: 'Somebody who was invited during a support access goes when it ends, unless the business keeps them.',
  params,
  answers: { 200: BusinessUser },
  errors: ['USER_NOT_FOUND'],
  needsProof: true,
  handler: async ({ tx, params, access }) => {
    if (access.support) throw new AppError('FORBIDDEN', 'Only an administrator of the business decides this')
    return { status: 200, body: shown(await keepMember(tx, tx.realm.businessId, params.userID, access)) }
  },
})

export const removeUser = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/users/:userID',
  summary: 'Remove a user from the business',
  effects: ['deletes'],
  params,
  answers: { 200: BusinessUser },
  errors: ['USER_NOT_FOUND', 'LAST_ADMIN', 'EMERGENCY_ACCOUNT_REQUIRED'],
  needsProof: true,
  handler: async ({ tx, params }) => ({
    status: 200,
    body: shown(await removeMember(tx, tx.realm.businessId, params.userID)),
  }),
})
