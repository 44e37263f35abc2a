import { isDeepStrictEqual } from 'node:util'
import { stateOf } from '@kitlane/display/postal-address'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { checkExchangeUrl } from '../../platform/egress/exchange.ts'
import { checkUrl } from '../../platform/egress/url.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import { internalKitType, publicKitType } from '../catalogue/kit-type.ts'
import { panels } from '../catalogue/service.ts'
import { problemOfFolder } from './call.ts'
import {
  type Connection,
  selectConnection,
  selectConnections,
  selectName,
  selectRouted,
  upsertConnection,
} from './connection-queries.ts'
import { routeAgain } from './queries.ts'
import { DUE_JOB } from './record.ts'
import type { ConnectionInput, LabConnection } from './schema.ts'

/** How laboratories get orders, in the order in which they are asked. */
export async function listConnections(tx: SystemTx): Promise<LabConnection[]> {
  const routed = await selectRouted(tx, dayOf(tx.now))
  return (await selectConnections(tx)).map((one) => shown(one, routed))
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

function shown(row: Connection, routed: ReadonlyMap<string, number>): LabConnection {
  const { id: laboratoryID, secret, createdAt, changedAt, tests, ...rest } = row
  return {
    ...rest,
    laboratoryID,
    tests: tests.map((test) => ({ ...test, kitType: publicKitType(test.kitType) })),
    hasAuthorization: secret !== null,
    routedToday: routed.get(laboratoryID) ?? 0,
    createdDate: createdAt.toISOString(),
    changedDate: changedAt.toISOString(),
  }
}

export const secretPlaceOf = (laboratoryId: string) => `laboratories.secret/${laboratoryId}`

/** Says how a laboratory gets orders. Orders that no laboratory took look for one again. @throws VALIDATION_FAILED, LABORATORY_NOT_FOUND */
export async function saveConnection(tx: SystemTx, id: string, input: ConnectionInput): Promise<LabConnection> {
  const name = await selectName(tx, id)
  if (name === undefined) throw notFound()
  const before = await selectConnection(tx, id)
  const { authorization, ...given } = input
  const tests = given.tests.map((test) => ({ ...test, kitType: internalKitType(test.kitType) }))
  await assertReachable(tx, input, tests)
  // A secret that was given for one address is not sent to another.
  const isMoved = before !== undefined && !isDeepStrictEqual(before.transport, given.transport)
  const kept = isMoved ? null : (before?.secret ?? null)
  const set = authorization ? tx.context.seal(authorization, secretPlaceOf(id)) : null
  const secret = authorization === undefined ? kept : set
  const row: Connection = {
    ...given,
    // As addresses have them: IL of US-IL, and of Illinois.
    states: given.states.map(
      (state) => given.countries.map((country) => stateOf(state, country)).find(Boolean) ?? state,
    ),
    tests,
    id,
    name,
    secret,
    createdAt: before?.createdAt ?? tx.now,
    changedAt: tx.now,
  }
  await upsertConnection(tx, row)
  await routeAgain(tx)
  await tx.enqueue(DUE_JOB, {})
  await audit.recordSystem(tx, [{ action: 'laboratory.connected', objectType: 'laboratory', objectId: id }])
  return shown(row, await selectRouted(tx, dayOf(tx.now)))
}

const notFound = () => new AppError('LABORATORY_NOT_FOUND', 'There is no such laboratory')

/** @throws LABORATORY_NOT_FOUND, also for one that takes no orders */
export async function findConnection(tx: SystemTx, id: string): Promise<Connection> {
  const found = await selectConnection(tx, id)
  if (!found) throw notFound()
  return found
}

async function assertReachable(
  tx: SystemTx,
  input: ConnectionInput,
  tests: readonly { kitType: string }[],
): Promise<void> {
  const { transport, format, authorization } = input
  const { hosts = [], folder } = tx.context.settings.labOrders
  const known = new Set((await panels(tx)).map(({ kitType }) => kitType))
  const unknown = tests.findIndex(({ kitType }) => !known.has(kitType))
  if (unknown >= 0) refuse([{ message: 'There is no panel of this kit type', path: `tests.${unknown}.kitType` }])
  const repeated = tests.findIndex(({ kitType }, at) => tests.findIndex((one) => one.kitType === kitType) < at)
  if (repeated >= 0) refuse([{ message: 'This kit type is there already', path: `tests.${repeated}.kitType` }])
  if (input.states.length > 0 && input.countries.length === 0)
    refuse([{ message: 'Say of which country these states are', path: 'countries' }])
  if (format === 'fhir' && transport.kind !== 'https') {
    refuse([{ message: 'FHIR is sent over https', path: 'transport.kind' }])
  }
  if (authorization && transport.kind !== 'https') {
    refuse([{ message: 'Only requests over https have this header', path: 'authorization' }])
  }
  if (transport.kind === 'folder') {
    if (folder === undefined) refuse([{ message: 'LAB_ORDERS_FOLDER is not set', path: 'transport.kind' }])
    const message = await problemOfFolder(folder, transport.folder)
    if (message) refuse([{ message, path: 'transport.folder' }])
    return
  }
  const named = { hosts: [...hosts], loopback: true }
  const problem =
    transport.kind === 'mllp'
      ? checkExchangeUrl(transport.url, hosts)
      : checkUrl(transport.url, { allowLoopback: true }, named)
  const words = problem === 'The host is not one that is allowed' ? 'LAB_ORDERS_HOSTS does not name this host' : problem
  if (words) refuse([{ message: words, path: 'transport.url' }])
}
