import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configure } from '../../src/modules/businesses/service.ts'
import { sharedWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})
afterAll(() => world.stop())

describe('a file', () => {
  it('may have 25 MiB; a larger one is refused with the reason, and nothing is kept', async () => {
    const { id, live } = await world.business()
    await world.service.database.asSystem({ name: 'cli' }, (tx) => configure(tx, id, { uploadsEnabled: true }))
    const { id: userId } = (await live.post('/customer', { email: 'ann@example.test', name: 'Ann Example' })).body
    const rows = Array.from({ length: 250 }, () => `Glucose,92,mg/dL,70-99,${'reference range '.repeat(6250)}\n`).join(
      '',
    )
    const text = `Test,Result,Units,Reference Range,Comment\n${rows}`
    const send = (bytes: number) => {
      const fileBlob = `data:text/csv;base64,${Buffer.from(text.padEnd(bytes, '\n')).toString('base64')}`
      return live.post('/customer/add-data', { type: 'file', userId, date: '2026-03-05', fileBlob })
    }
    const large = await send(25 * 1024 * 1024)
    expect([large.status, large.body.totalBiomarkers]).toEqual([201, 1])
    const tooLarge = await send(25 * 1024 * 1024 + 1)
    expect([tooLarge.status, tooLarge.body.code, tooLarge.body.message]).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
      'A file may have at most 25 MiB',
    ])
    expect((await live.get('/reports')).body.pagination.total).toBe(1)
  })
})
