import type { RealmPorts } from '../../src/platform/ports/realm-ports.ts'

/** Ports whose transaction number `at` fails: before its commit, or after it, as for a worker that dies there. */
export function dying(
  ports: RealmPorts,
  at: number,
  when: 'before' | 'after',
): { ports: RealmPorts; opened(): number } {
  let opened = 0
  const open: RealmPorts['open'] = async (work) => {
    const dies = ++opened === at
    const result = await ports.open(async (tx) => {
      const done = await work(tx)
      if (dies && when === 'before') throw new Error('died before the commit')
      return done
    })
    if (dies) throw new Error('died after the commit')
    return result
  }
  return { ports: { ...ports, open }, opened: () => opened }
}
