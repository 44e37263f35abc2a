import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { breaches, figures } from '../../prove/crash/checks.ts'
import { faults } from '../../prove/crash/inject-fault.ts'
import { run } from '../../prove/crash/run.ts'
import type { Figure } from '../../prove/record.ts'

// The short form: the gate runs `npm run prove:crash` with 600 rows and 5 kills; its own length is 10,000 rows and 24 kills.
const seed = Number(process.env.SEED ?? randomInt(2 ** 31))

describe('a service that is killed again and again', () => {
  it(`loses nothing, does nothing twice, and charges exactly what it ships (seed ${seed})`, async () => {
    const messages: string[] = []
    const found: Record<string, Figure[]> = {}
    const result = await run(
      {
        seed,
        rows: 300,
        cardRows: 30,
        orders: 30,
        serviceKills: 3,
        databaseKills: 1,
        injectFaults: false,
        say: (line) => messages.push(line),
      },
      async (db, expected) => {
        // Each check must find its fault: inject it, find it, undo it.
        for (const [fault, text] of Object.entries(faults)) {
          await db.query('begin')
          await db.query(text, ['7'])
          found[fault] = breaches(await figures(db, expected))
          await db.query('rollback')
        }
      },
    )
    expect(breaches(result.figures), messages.join('\n')).toEqual([])
    expect(result.kills).toHaveLength(4)
    for (const [fault, figures] of Object.entries(found)) expect(figures, fault).not.toEqual([])
    expect(Object.keys(found)).toEqual(Object.keys(faults))
  })
})
