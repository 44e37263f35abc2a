import { z } from 'zod'
import { orderId } from '../../domain/id-fields.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { defineRoute } from '../../platform/http/route.ts'
import * as audit from '../audit/service.ts'
import { addClockAdvance, selectClockAdvance } from '../businesses/queries.ts'
import { modulesOf } from '../define-module.ts'
import { idsOfPersonalKits } from '../kits/health-access.ts'
import { KitRecord, kitParams } from '../kits/schema.ts'
import { advanceKit, runScenario } from './advance.ts'
import { lockKits } from './queries.ts'
import { scenarios } from './scenarios.ts'
import * as schema from './schema.ts'
import { removeOrder, reset, sandboxKits } from './service.ts'

/** How far the clock of this sandbox was advanced in all. */
const clock = async (tx: Tx): Promise<schema.SandboxClock> => ({
  total: schema.durationOf(await selectClockAdvance(tx)),
})

/**
 * Lets `ms` milliseconds pass in this sandbox: each module moves its deadlines, and the dates that an age is counted from, back
 * by so much. What became due is done at once by the usual jobs. Events, audit, credits, tokens and reports stay.
 */
async function advanceAllModules(tx: Tx, ms: number): Promise<schema.Advanced> {
  // First: it refuses live, and lets one advance wait for another.
  const total = await addClockAdvance(tx, ms)
  await lockKits(tx)
  const due = {}
  for (const { sandbox } of modulesOf(tx.context)) Object.assign(due, await sandbox?.advanceClock?.(tx, ms))
  const answer = { advanced: schema.durationOf(ms), total: schema.durationOf(total) }
  await audit.record(tx, [
    {
      action: 'sandbox.clock_advanced',
      objectType: 'business',
      objectId: tx.realm.businessId,
      details: answer,
    },
  ])
  // Each module counts what the shape of the answer names.
  return { ...answer, due: due as schema.Advanced['due'] }
}

const tag = 'Sandbox'

export const advanceSandboxKit = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/sandbox/kits/:kitID/advance',
  tag,
  summary: 'Advance a mock kit',
  effects: [],
  description:
    'To any status, with the events of a live kit. Forward, the steps between are filled in: a made-up person registers the kit, and reportReady makes a plausible report. Backward, later steps lose their dates, and a report made on the way is removed. A canceled kit stays.',
  scope: 'kits:write',
  mode: 'sandbox',
  params: kitParams,
  body: schema.AdvanceInput,
  answers: { 200: KitRecord },
  accesses: { reads: 'kit', ids: (kit) => idsOfPersonalKits([kit]) },
  errors: ['KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params, body }) => ({ status: 200, body: await advanceKit(tx, params.kitID, body) }),
})

export const runSandboxScenario = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/sandbox/kits/:kitID/scenario',
  tag,
  summary: 'Play a scenario with a mock kit',
  effects: [],
  description: 'Wherever the kit is; one that is past the scenario starts again. /sandbox/scenarios lists them.',
  scope: 'kits:write',
  mode: 'sandbox',
  params: kitParams,
  body: schema.ScenarioInput,
  answers: { 200: KitRecord },
  accesses: { reads: 'kit', ids: (kit) => idsOfPersonalKits([kit]) },
  errors: ['KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params, body }) => ({ status: 200, body: await runScenario(tx, params.kitID, body.scenario) }),
})

export const listSandboxScenarios = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/sandbox/scenarios',
  tag,
  summary: 'List scenarios',
  scope: 'kits:write',
  mode: 'sandbox',
  answers: { 200: z.array(schema.ScenarioEntry) },
  handler: async () => ({
    status: 200,
    body: scenarios.map(({ name, description, status }) => ({ name, description, status })),
  }),
})

export const listSandboxKits = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/sandbox/kits',
  tag,
  summary: 'List mock kits',
  description: 'Every mock kit, newest first, not paginated.',
  scope: 'kits:write',
  mode: 'sandbox',
  answers: { 200: z.array(KitRecord) },
  accesses: { lists: 'kit', ids: idsOfPersonalKits },
  handler: async ({ tx }) => ({ status: 200, body: await sandboxKits(tx) }),
})

export const getSandboxClock = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/sandbox/clock',
  tag,
  summary: 'Read the clock of the sandbox',
  scope: 'kits:write',
  mode: 'sandbox',
  answers: { 200: schema.SandboxClock },
  handler: async ({ tx }) => ({ status: 200, body: await clock(tx) }),
})

export const advanceSandboxClock = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/sandbox/clock',
  tag,
  summary: 'Advance the clock of the sandbox',
  effects: [],
  description:
    'Lets time pass for what waits in the sandbox: webhooks are retried, old signing secrets end, critical results go to the next contact, recurring plans and shops place orders, kits become late, personal links and shared reports end. Events, the audit, credits, tokens, sessions, Idempotency-Keys and reports keep their dates.',
  scope: 'kits:write',
  mode: 'sandbox',
  body: schema.ClockInput,
  answers: { 200: schema.Advanced },
  handler: async ({ tx, body }) => ({ status: 200, body: await advanceAllModules(tx, body.advance) }),
})

export const deleteSandboxOrder = defineRoute({
  audience: 'business',
  method: 'DELETE',
  path: '/sandbox/orders/:orderID',
  tag,
  summary: 'Delete a sandbox order',
  effects: ['deletes'],
  description:
    'With its mock kits, their reports and webhook history. Its credits stay spent. Idempotency-Keys whose answers name it are forgotten.',
  scope: 'orders:write',
  mode: 'sandbox',
  params: z.object({ orderID: orderId }),
  answers: { 200: schema.Deleted },
  errors: ['ORDER_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: { deleted: await removeOrder(tx, params.orderID) } }),
})

export const resetSandbox = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/sandbox/reset',
  tag,
  summary: 'Reset the sandbox',
  effects: ['deletes'],
  description:
    'Deletes every sandbox order, kit, customer, report and webhook record, brings the credits back to 1,000 of each type, and forgets the Idempotency-Keys of the sandbox. Settings and tokens stay.',
  scope: 'orders:write',
  mode: 'sandbox',
  answers: { 200: schema.Deleted },
  handler: async ({ tx, idempotencyKey }) => ({ status: 200, body: { deleted: await reset(tx, idempotencyKey) } }),
})
