import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Database, GroupTx } from '../../src/platform/database/tx.ts'
import { openGate } from '../../src/platform/gate.ts'
import { inTurns } from '../../src/platform/http/fair-pick.ts'
import { type GroupCommit, startGroupCommit } from '../../src/platform/http/group-commit.ts'
import { createLogger } from '../../src/platform/log.ts'

describe('a fair pick', () => {
  const pick = (items: string[]) => [...inTurns(items, ([owner]) => owner)].join(' ')

  it('takes one of each owner in turn', () => {
    expect(pick(['a1', 'a2', 'a3', 'b1', 'c1', 'b2', 'a4'])).toBe('a1 b1 c1 a2 b2 a3 a4')
    expect(pick([])).toBe('')
  })

  it('loses nothing, keeps the order of each owner, and lets a new owner wait for one item of each other', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd')), (owners) => {
        const items = [...owners, 'new'].map((owner, index) => ({ owner, index }))
        const picked = [...inTurns(items, ({ owner }) => owner)]
        expect(picked.toSorted((x, y) => x.index - y.index)).toEqual(items)
        for (const own of Map.groupBy(picked, ({ owner }) => owner).values()) {
          expect(own).toEqual(own.toSorted((x, y) => x.index - y.index))
        }
        expect(picked.findIndex(({ owner }) => owner === 'new')).toBeLessThanOrEqual(4)
      }),
    )
  })
})

describe('a group', () => {
  /** The groups that requests of these realms and weights make, all of them waiting at once. */
  async function groupsOf(requests: readonly { realm: number; weight?: number }[]): Promise<string[][]> {
    const groups: string[][] = []
    const vault = { ofAll: async () => new Map() }
    const tx = { rows: async () => [], run: async () => 0, vault } as unknown as GroupTx
    const database = {
      inRealms: async (_role: unknown, _ids: unknown, work: (tx: GroupTx) => Promise<{ result: unknown }>) =>
        (await work(tx)).result,
    } as unknown as Database
    const group: GroupCommit<{ name: string; weight: number }> = {
      role: 'placement',
      inOrder: true,
      weightOf: ({ weight }) => weight,
      async open(_tx, members) {
        groups.push(members.map(({ input: asked }) => asked.name))
        return async (fresh) => ({ outcomes: fresh.map(() => ({ answer: { status: 200, body: {} } })), writes: [] })
      },
    }
    const log = createLogger({ level: 'silent' })
    const started = startGroupCommit(database, group as unknown as GroupCommit, log)
    await Promise.all(
      requests.map(({ realm, weight = 1 }, index) =>
        started.add({
          realm: { id: realm, businessId: `biz_${realm}`, mode: 'live' },
          actor: { name: 'test' },
          input: { name: `${realm}.${index}`, weight },
          requestId: `req_${index}`,
          alone: () => Promise.reject(new Error('alone')),
        }),
      ),
    )
    return groups
  }

  it('takes turns by business: a backlog of one does not fill it for the others', async () => {
    const groups = await groupsOf([...Array.from({ length: 200 }, () => ({ realm: 1 })), { realm: 2 }, { realm: 2 }])
    expect(groups[0]?.filter((name) => name.startsWith('2.'))).toEqual(['2.200', '2.201'])
    expect(groups.map(({ length }) => length)).toEqual([64, 64, 64, 10])
    const first = groups.flat().filter((name) => name.startsWith('1.'))
    expect(first).toEqual(Array.from({ length: 200 }, (_, index) => `1.${index}`))
  })

  it('is filled by rows, and keeps the order of arrival of a business whose next request does not fit', async () => {
    const groups = await groupsOf([
      { realm: 1, weight: 60 },
      { realm: 1, weight: 19 },
      { realm: 1, weight: 1 },
      { realm: 2, weight: 1 },
      { realm: 3, weight: 90 },
    ])
    expect(groups).toEqual([['1.0', '2.3'], ['1.1', '1.2'], ['3.4']])
  })
})

describe('a gate', () => {
  const refusal = (tooMany: string) => new Error(tooMany)

  it('gives a place back once, however often it is asked to', async () => {
    const gate = openGate({ maxAtOnce: 1, maxWaitingEach: 5, maxWaiting: 9, refusal })
    const entered: string[] = []
    const leave = await gate.enter('a')
    const second = gate.enter('b').then((leaveSecond) => {
      entered.push('b')
      return leaveSecond
    })
    const third = gate.enter('c').then(() => entered.push('c'))
    leave()
    leave()
    const leaveSecond = await second
    expect(entered).toEqual(['b'])
    leaveSecond()
    await third
  })

  it('refuses who has too much waiting, but never work that has begun', async () => {
    const gate = openGate({ maxAtOnce: 1, maxWaitingEach: 1, maxWaiting: 2, refusal })
    const leave = await gate.enter('a')
    const waiting = [gate.enter('a'), gate.enter('b')]
    await expect(gate.enter('a')).rejects.toThrow('own')
    await expect(gate.enter('c')).rejects.toThrow('all')
    waiting.push(gate.wait('a'))
    leave()
    for (const next of waiting) (await next)()
  })

  it('refuses who has waited long where waiting is of no use, but never work that has begun, and goes on for others', async () => {
    const gate = openGate({ maxAtOnce: 1, maxWaitingEach: 5, maxWaiting: 9, refusal })
    const leave = await gate.enter('a')
    const begun = gate.wait('a')
    const refused = [gate.enter('a'), gate.enter('b')]
    gate.refuse(60_000)
    const told = Promise.allSettled(refused)
    gate.refuse(-1)
    expect((await told).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const next = gate.enter('c')
    leave()
    ;(await begun)()
    ;(await next)()
  })
})
