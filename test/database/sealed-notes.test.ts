import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealEntries } from '../../src/modules/audit/seal.ts'
import { verifyAudit } from '../../src/modules/audit/verify.ts'
import { sealedWords } from '../../src/modules/audit/words-queries.ts'
import { sealedVisits } from '../../src/modules/identity/support-access-queries.ts'
import { rotateDataKeys } from '../../src/modules/keys/service.ts'
import { sealedReasons } from '../../src/modules/kits/sealed-queries.ts'
import { countSealed } from '../../src/platform/sealing/seal-rows.ts'
import type { Caller } from '../harness/caller.ts'
import { readBackAll } from '../harness/critical.ts'
import { dumpOf, holdSealing, sealAll, writeInClear } from '../harness/in-clear.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { person, requestAccess, type SignedIn, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

// What people type in passing: each names somebody who stands nowhere else.
const said = {
  note: 'Mrs Quillfeather dropped it',
  replacement: 'Promised to Mr Heronmoor',
  told: 'Dr. Brandywater, by telephone',
  visit: 'Ms Thornbury misses her report',
}
const traces = ['quillfeather', 'heronmoor', 'brandywater', 'thornbury']

let world: World
let clinic: TestBusiness
let owner: Client
let lab: Operator
let staff: SignedIn
let admin: Caller
let kitID: string
let replacementKitID: string
let customerID: string
let reportID: string

const actor = { name: 'test' }
const born = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1970-01-02', sex: 'F' }

async function newKit(): Promise<string> {
  const { body } = await clinic.live.post('/create-order', anOrder())
  const kit: string = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body[0].kitID
  const { status, body: made } = await clinic.live.post(`/kits/${kit}/register`, { ...born, email: 'ada@example.test' })
  expect(status, JSON.stringify(made)).toBe(200)
  customerID = String(made.customerId)
  return kit
}

const reject = (kit: string, note: string) => lab('POST', '/samples/reject', { kitID: kit, reason: 'hemolysis', note })

async function publishCritical(): Promise<string> {
  const results = [{ name: 'Glucose', value: 401, unit: 'mg/dL', flag: 'HH' }]
  const { sex: _, ...patient } = born
  const taken = await lab('POST', '/lab/results', { kitID: await newKit(), patient, results })
  const id: string = taken.body.reports[0].reportID
  const notified = { person: said.told, at: '2026-11-20T09:30:00Z' }
  await readBackAll(clinic.live.request, id)
  expect((await clinic.live.post(`/reports/${id}/publish`, { notified })).status).toBe(200)
  return id
}

beforeAll(async () => {
  world = await ownWorld('looks at every sealed row')
  await holdSealing(world.service.database)
  clinic = await world.business()
  owner = await world.owner()
  lab = await operatorWith(world, ['lab', 'fulfilment'])
  kitID = await newKit()
  expect((await reject(kitID, said.note)).status).toBe(200)
  const replaced = await clinic.live.post(`/kits/${kitID}/replacement`, { reason: said.replacement })
  replacementKitID = replaced.body.replacementKitID
  reportID = await publishCritical()
  staff = await signIn(world, await person(world, 'operator-admin'))
  await requestAccess(staff, clinic, { reason: said.visit })
  admin = (await signIn(world, await person(world, 'business-admin', clinic))).in(clinic)
})
afterAll(() => world.stop())

/** What a permitted reader sees of each note. */
async function shown() {
  const audit = async (action: string, objectID: string) =>
    (await admin.get(`/audit?action=${action}&objectID=${objectID}`)).body.data[0].details
  const visits = (await staff.operator.get('/support-accesses?mine=true')).body.data
  const accesses = (await admin.get(`/customers/${customerID}/accesses`)).body.data
  const exported = (await admin.get(`/customers/${customerID}/export`)).body
  return {
    kit: (await clinic.live.get(`/kits/${kitID}`)).body.kit.exceptionReason,
    replaced: await audit('kit.replaced', kitID),
    page: (await admin.get(`/kits/${replacementKitID}`)).body.timeline[0],
    told: await audit('report.critical_told', reportID),
    visit: visits[0].reason,
    asked: await audit('support_access.requested', visits[0].id),
    saw: accesses.filter(({ reason }: { reason?: string }) => reason).map(({ reason }: { reason: string }) => reason),
    exported: exported.auditEntries.flatMap(({ details }: { details?: { reason?: string } }) => details?.reason ?? []),
  }
}

const everything = {
  kit: expect.stringContaining(said.note),
  replaced: { reason: said.replacement, replacementKitId: expect.any(String) },
  page: expect.objectContaining({ reason: said.replacement }),
  told: { who: said.told, at: '2026-11-20T09:30:00Z', version: 1 },
  visit: said.visit,
  asked: { reason: said.visit, minutes: 60, needsApproval: false },
  saw: [said.replacement],
  exported: [said.replacement],
}

const found = async () => {
  const dump = (await dumpOf(world.service.database)).toLowerCase()
  return traces.filter((trace) => dump.includes(trace))
}

describe('a note that somebody types', () => {
  it('is shown to anyone who may read it, and stands nowhere in clear', async () => {
    expect(await shown()).toEqual(everything)
    expect(await found()).toEqual([])
  })

  it('stands in the audit as a reference, so that the seals hold and streams send no words', async () => {
    const { rows } = await owner.query(`select details from audit_entries where action = 'kit.replaced'`)
    expect(rows).toEqual([{ details: { replacementKitId: replacementKitID, words: expect.stringMatching(/^words_/) } }])
    await world.settled()
    await world.service.database.asSystem(actor, sealEntries)
    expect(await world.service.database.asSystem(actor, verifyAudit)).toMatchObject({ intact: true })
  })

  it('cannot be changed or removed by the roles of the program', async () => {
    for (const role of ['kitlane_app', 'kitlane_system']) {
      await owner.query(`reset role; begin; set local role ${role}`)
      await expect(owner.query('delete from audit_words')).rejects.toThrow(/permission denied/)
      await owner.query('rollback; set role kitlane_system')
    }
  })

  it('is read from rows of the version before, which the job seals', async () => {
    for (const table of [sealedReasons, sealedVisits]) {
      expect(await writeInClear(world.service.database, table)).not.toEqual([])
    }
    expect(await found()).toEqual(['quillfeather', 'thornbury'])
    expect(await shown()).toEqual(everything)
    const left = await sealAll(world.service.database)
    expect(Object.values(left).filter((rows) => rows > 0)).toEqual([])
    await holdSealing(world.service.database)
    expect(await found()).toEqual([])
    expect(await shown()).toEqual(everything)
  })

  it('is shown of entries of the version before, which seals cover as they are', async () => {
    await owner.query(
      `insert into audit_entries (realm_id, at, actor, action, object_type, object_id, details)
       select realm_id, now(), 'user:before', 'kit.replaced', 'kit', 'KBEFORE', '{"reason": "Lost"}' from kits where id = $1`,
      [kitID],
    )
    const { data } = (await admin.get('/audit?objectID=KBEFORE')).body
    expect(data).toMatchObject([{ details: { reason: 'Lost' } }])
  })

  it('survives new keys, also where the audit refers to it', async () => {
    const store = world.service.portsOf('live').fileStore
    const { destroyed } = await rotateDataKeys(world.service.database, actor, { knownAfterMs: 0, store })
    expect(destroyed).toBeGreaterThan(0)
    for (const table of [sealedReasons, sealedWords, sealedVisits]) {
      const { sealed, old } = await world.service.database.asSystem(actor, (tx) => countSealed(tx, table))
      expect([sealed > 0, old]).toEqual([true, 0])
    }
    expect(await shown()).toEqual(everything)
    expect(await world.service.database.asSystem(actor, verifyAudit)).toMatchObject({ intact: true })
  })
})

describe('why a kit has a problem', () => {
  it('is not that of an earlier problem, after a process of the version before moved the kit', async () => {
    const kit = await newKit()
    await reject(kit, said.note)
    const reason = async () => (await clinic.live.get(`/kits/${kit}`)).body.kit.exceptionReason
    const write = (why: string | null) =>
      owner.query('update kits set event_sequence = event_sequence + 1, exception_reason = $2 where id = $1', [
        kit,
        why,
      ])
    expect(await reason()).toContain(said.note)
    await write('Something else')
    expect(await reason()).toBe('Something else')
    await write(null)
    expect(await reason()).toBeUndefined()
  })

  it('goes with the person when they are erased', async () => {
    const email = 'gone@example.test'
    const { body } = await clinic.live.post('/create-order', anOrder())
    const kit: string = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body[0].kitID
    const made = await clinic.live.post(`/kits/${kit}/register`, { ...born, email })
    await reject(kit, said.note)
    expect((await clinic.live.request('DELETE', `/customers/${made.body.customerId}`)).status).toBe(200)
    expect((await clinic.live.get(`/kits/${kit}`)).body.kit.exceptionReason).toBeUndefined()
  })
})
