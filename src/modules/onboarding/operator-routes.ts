import { type SystemTx, within } from '../../platform/database/tx.ts'
import { pagination } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import type { Business } from '../businesses/queries.ts'
import { grantsOf, type Settings, ShownSettings } from '../businesses/schema.ts'
import * as businesses from '../businesses/service.ts'
import { internalKitType, publicKitType } from '../catalogue/kit-type.ts'
import { isPerson } from '../identity/grants.ts'
import { invite } from '../identity/invitations.ts'
import { listMembers } from '../identity/members.ts'
import { BusinessUser, InvitedUser } from '../identity/schema.ts'
import { findActive, noteUse } from '../identity/support-access.ts'
import * as administration from './administer.ts'
import { onboard, onboardWithoutTokens } from './onboard.ts'
import { selectBusinesses, selectCredits, selectFacts, selectPanelsFor } from './queries.ts'
import * as schema from './schema.ts'

/** Everything that the operator sees of a business. @throws BUSINESS_NOT_FOUND */
async function describeBusiness(tx: SystemTx, idOrName: string): Promise<schema.BusinessDetail> {
  const { id, name } = await businesses.find(tx, idOrName)
  const { live, sandbox } = await businesses.realmsOf(tx, id)
  const { createdAt, rateLimitPerMinute } = await selectFacts(tx, id)
  const panels = await selectPanelsFor(tx, id)
  const credits = await selectCredits(tx, id)
  return {
    id,
    name,
    rateLimitPerMinute,
    createdDate: createdAt.toISOString(),
    panels: panels.map(({ kitType, name, priceMinor, currency }) => ({
      kitType: publicKitType(kitType),
      name,
      provisioned: priceMinor !== null,
      ...(priceMinor !== null && currency !== null && { price: { amount: priceMinor, currency } }),
    })),
    credits: credits.map(({ mode, kitType, available }) => ({ mode, type: publicKitType(kitType), available })),
    settings: {
      live: shown(name, await businesses.settings(within(tx, live))),
      sandbox: shown(name, await businesses.settings(within(tx, sandbox))),
    },
    users: (await listMembers(tx, id)).map((member) => BusinessUser.parse(member)),
  }
}

function shown(name: string, settings: Settings): ShownSettings {
  const given = Object.entries(settings).filter(([, value]) => value !== null)
  return ShownSettings.parse({ name, ...Object.fromEntries(given) })
}

const shared = { tag: 'Operator: businesses', scope: 'businesses' } as const
const one = { ...shared, params: schema.businessParams, answers: { 200: schema.BusinessDetail } }

export const listBusinesses = defineRoute({
  audience: 'operator',
  ...shared,
  method: 'GET',
  path: '/businesses',
  summary: 'List businesses, by name',
  query: schema.ListBusinesses,
  answers: { 200: schema.BusinessPage },
  handler: async ({ tx, query: { q, page, size } }) => {
    const { rows, total } = await selectBusinesses(tx, { q, page, size })
    const data = rows.map(({ createdAt, credits, ...row }) => ({
      ...row,
      createdDate: createdAt.toISOString(),
      credits: { live: credits },
    }))
    return { status: 200, body: { data, pagination: pagination(page, size, total) } }
  },
})

export const createBusiness = defineRoute({
  audience: 'operator',
  ...shared,
  method: 'POST',
  path: '/businesses',
  summary: 'Make a business',
  effects: ['lets-in', 'changes-who-is-told'],
  description:
    'With panels and credits. Its sandbox has 1,000 credits of each panel and a simulated card. A caller with the scope `access` gets one token for each mode, which are shown only now.',
  body: schema.NewBusiness,
  answers: { 201: schema.MadeBusiness },
  errors: ['PANEL_NOT_FOUND', 'USER_EXISTS', 'SSO_REQUIRED', 'FEATURE_NOT_ENABLED'],
  needsProof: true,
  handler: async ({ tx, body: { name, panels, credits, administrator }, access }) => {
    const newBusiness = { name, credits, panels: panels?.map(internalKitType) }
    // The tokens of a business reach its health data, so making them takes the scope `access`.
    const made: { business: Business; liveToken?: string; sandboxToken?: string } = access.scopes.has('access')
      ? await onboard(tx, newBusiness)
      : await onboardWithoutTokens(tx, newBusiness)
    const { business, liveToken, sandboxToken } = made
    const tokens = { ...(liveToken && { liveToken }), ...(sandboxToken && { sandboxToken }) }
    if (administrator === undefined) return { status: 201, body: { business, ...tokens } }
    const asAdmin = { email: administrator, role: 'business-admin', side: business.id } as const
    const { invitationUrl } = await invite(tx, asAdmin, access)
    return { status: 201, body: { business, ...tokens, ...(invitationUrl && { invitationUrl }) } }
  },
})

export const getBusiness = defineRoute({
  audience: 'operator',
  ...one,
  method: 'GET',
  path: '/businesses/:businessID',
  summary: 'Get a business',
  errors: ['BUSINESS_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: await describeBusiness(tx, params.businessID) }),
})

export const changeBusiness = defineRoute({
  audience: 'operator',
  ...one,
  method: 'PATCH',
  path: '/businesses/:businessID',
  summary: 'Change a business',
  effects: ['publishes', 'spends', 'changes-who-is-told'],
  grants: ({ body }) => grantsOf(body),
  description: 'Only what is sent is changed, in both modes; null unsets.',
  body: schema.ChangeBusiness,
  errors: ['BUSINESS_NOT_FOUND'],
  needsProof: ({ body }) => body.publishing !== undefined,
  handler: async ({ tx, params, body }) => {
    const { id } = await administration.configureBusiness(tx, params.businessID, body)
    return { status: 200, body: await describeBusiness(tx, id) }
  },
})

export const provisionPanels = defineRoute({
  audience: 'operator',
  ...one,
  method: 'POST',
  path: '/businesses/:businessID/panels',
  summary: 'Let a business order panels',
  effects: [],
  description: 'In both modes. Also changes what one of its panels costs it by card.',
  body: schema.ProvisionPanels,
  errors: ['BUSINESS_NOT_FOUND', 'PANEL_NOT_FOUND'],
  handler: async ({ tx, params, body: { kitTypes, price, currency } }) => {
    const { business } = await administration.provisionPanels(tx, params.businessID, kitTypes, {
      minor: price,
      currency,
    })
    return { status: 200, body: await describeBusiness(tx, business.id) }
  },
})

export const grantCredits = defineRoute({
  audience: 'operator',
  ...one,
  method: 'POST',
  path: '/businesses/:businessID/credits',
  summary: 'Give a business credits',
  effects: ['spends'],
  errors: ['BUSINESS_NOT_FOUND', 'PANEL_NOT_FOUND'],
  body: schema.GrantCredits,
  handler: async ({ tx, params, body }) => {
    await administration.grantCredits(tx, params.businessID, body)
    return { status: 200, body: await describeBusiness(tx, params.businessID) }
  },
})

export const inviteUserOfBusiness = defineRoute({
  audience: 'operator',
  tag: shared.tag,
  scope: 'access',
  method: 'POST',
  path: '/businesses/:businessID/users',
  summary: 'Invite a user of a business',
  effects: ['lets-in'],
  grants: ['invitation'],
  description:
    'They are e-mailed a link, which is good for 72 hours. A person sees it too where there is no mail server, and needs a support access to the business: the user goes with it, unless an administrator of the business keeps them.',
  params: schema.businessParams,
  body: schema.InviteUser,
  answers: { 201: InvitedUser },
  errors: ['BUSINESS_NOT_FOUND', 'USER_EXISTS', 'SSO_REQUIRED', 'FEATURE_NOT_ENABLED', 'SUPPORT_ACCESS_REQUIRED'],
  needsProof: true,
  handler: async ({ tx, params, body: { email, role }, access }) => {
    const { id } = await businesses.find(tx, params.businessID)
    // Anyone who invites could invite themselves, and be in the business without a reason.
    const support = isPerson(access) ? await findActive(tx, access.callerId, id) : undefined
    if (support) {
      const { live: realm } = await businesses.realmsOf(tx, id)
      await noteUse(tx, { access: support, realm, route: 'POST /operator/v1/businesses/:businessID/users' })
    }
    const { member, ...link } = await invite(tx, { email, role, side: id }, { ...access, ...(support && { support }) })
    return { status: 201, body: { user: { ...member, role }, ...link } }
  },
})
