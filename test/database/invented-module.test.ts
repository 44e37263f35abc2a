import { readFileSync } from 'node:fs'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeApi } from '../../src/cli/openapi/document.ts'
import { openApiDocuments } from '../../src/cli/openapi-document.ts'
import { dataMapDocument } from '../../src/cli/reference-documents.ts'
import { apiWords } from '../../src/domain/api-description.ts'
import { fieldWords } from '../../src/domain/field-words.ts'
import { routesOf, tagsOf } from '../../src/modules/define-module.ts'
import { modules } from '../../src/modules/index.ts'
import { keysStatus, rotateDataKeys } from '../../src/modules/keys/service.ts'
import { wishes } from '../harness/wishes/module.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

// The folder test/harness/wishes, and this line.
const withWishes = [...modules, wishes]

let world: World
let owner: Client
let clinic: TestBusiness
let customer: number

beforeAll(async () => {
  world = await ownWorld('adds a module', {}, { modules: withWishes })
  owner = await world.owner()
  await owner.query(`reset role; ${readFileSync('test/harness/wishes/table.sql', 'utf8')}`)
  await owner.query('set role kitlane_system')
  clinic = await world.business()
})
afterAll(() => world.stop())

async function wish(caller = clinic.live): Promise<void> {
  const made = await caller.post('/customers', { name: 'Ada Bell', email: 'ada@example.test' })
  expect(made.status, made.text).toBe(201)
  customer = made.body.id
  const wished = await caller.post(`/customers/${customer}/wishes`, { text: 'A quiet week' })
  expect(wished.status, wished.text).toBe(201)
}

const count = async () => Number((await owner.query('select count(*) from wishes')).rows[0].count)

describe('a module of one folder and one line', () => {
  it('is in the OpenAPI document, with its part of the export, and in the data map', () => {
    const { business } = describeApi({
      routes: routesOf(withWishes),
      words: { ...apiWords, tags: tagsOf(withWishes), fields: fieldWords },
    })
    expect(Object.keys(business.paths)).toContain('/api/v1/customers/{customerID}/wishes')
    expect(JSON.stringify(business.components.schemas?.CustomerExport)).toContain('"wishes"')
    // What is composed for the service of other modules has another shape of the same name.
    expect(JSON.stringify(openApiDocuments().business.components.schemas?.CustomerExport)).not.toContain('"wishes"')
    const map = dataMapDocument(readFileSync('docs/data-map.md', 'utf8'), withWishes)
    expect(map).toContain('| `wishes` | what somebody wishes for |')
  })

  it('is in the audit: who read it is found by the person', async () => {
    await wish()
    const read = await clinic.live.get(`/customers/${customer}/wishes`)
    expect(read.body).toMatchObject([{ text: 'A quiet week' }])
    const { rows } = await owner.query(
      `select 1 from audit_entries where action = 'customer.read' and object_id = $1`,
      [String(customer)],
    )
    expect(rows).not.toEqual([])
  })

  it('is sealed again by a rotation of the keys, and counted by its status', async () => {
    const before = (await owner.query('select sealed from wishes')).rows
    const actor = { name: 'test' }
    const store = world.service.portsOf('live').fileStore
    await rotateDataKeys(world.service.database, actor, { store, knownAfterMs: 0 })
    expect((await owner.query('select sealed from wishes')).rows).not.toEqual(before)
    const { tables } = await keysStatus(world.service.database, actor)
    expect(tables).toContainEqual({ table: 'wishes', sealed: 1, old: 0 })
    expect((await clinic.live.get(`/customers/${customer}/wishes`)).body).toMatchObject([{ text: 'A quiet week' }])
  })

  it('is in the export of a person, and goes with their erasure', async () => {
    const { body } = await clinic.live.get(`/customers/${customer}/export`)
    expect(body.wishes).toMatchObject([{ text: 'A quiet week' }])
    const erased = await clinic.live.request('DELETE', `/customers/${customer}`)
    expect(erased.status, erased.text).toBe(200)
    expect(await count()).toBe(0)
    const { rows } = await owner.query(`select details from audit_entries where action = 'customer.erased'`)
    expect(rows).toMatchObject([{ details: { wishes: 1 } }])
  })

  it('moves with the clock of a sandbox, and goes with its reset', async () => {
    await wish(clinic.sandbox)
    const due = async () => Date.parse((await clinic.sandbox.get(`/customers/${customer}/wishes`)).body[0].dueDate)
    const before = await due()
    expect((await clinic.sandbox.post('/sandbox/clock', { advance: 'P3D' })).status).toBe(200)
    expect(before - (await due())).toBe(3 * 86_400_000)
    expect((await clinic.sandbox.post('/sandbox/reset')).status).toBe(200)
    expect(await count()).toBe(0)
  })
})
