import { caller } from '../../test/harness/caller.ts'
import { improper, Load } from '../load.ts'
import { randomOf } from '../random.ts'
import type { Figure } from '../record.ts'
import { type Site, URLS } from './use.ts'
import { untilReady } from './walk.ts'

const ORDERS_BETWEEN = 60

/** Kills one API container while orders are placed at both, then restarts one after the other; counts the orders. */
export async function interrupt({ docker, container, say }: Site, token: string): Promise<Figure[]> {
  const before = await ordersOf(token)
  const loads = URLS.map(
    (url, i) =>
      new Load({ url, token, random: randomOf(i), name: `at-${i}`, concurrency: 3, pauseMs: 0, reads: 'lists' }),
  )
  const more = () => Promise.all(loads.map((load) => load.more(ORDERS_BETWEEN)))
  await more()
  const api = ['api_1', 'api_2'].map(container)
  const [killed = ''] = api
  process.kill(docker.inspect(killed).State.Pid, 'SIGKILL')
  say('an API container is killed')
  await untilReady(docker, killed)
  await more()
  const times = docker.inspect(killed).RestartCount
  say('it came back by itself; now one restart after the other')
  for (const name of api) {
    docker.must('restart', '--time', '40', name)
    await untilReady(docker, name)
    await more()
  }
  await Promise.all(loads.map((load) => load.finish()))
  const placed = loads.flatMap((load) => load.orderIds)
  say(`${placed.length} orders; answers: ${JSON.stringify(loads.map(({ answers }) => answers))}`)
  const after = await ordersOf(token)
  const added = [...after].filter((id) => !before.has(id)).length
  const others = loads.reduce((sum, { answers }) => sum + improper(answers), 0)
  return [
    {
      name: 'orders placed during a kill and a rolling restart',
      actual: placed.length,
      expected: 6 * ORDERS_BETWEEN,
      atLeast: true,
    },
    { name: 'acknowledged orders that are lost', actual: placed.filter((id) => !after.has(id)).length, expected: 0 },
    { name: 'orders placed twice', actual: added - new Set(placed).size, expected: 0 },
    { name: 'answers other than 2xx and 503', actual: others, expected: 0 },
    { name: 'restarts of the killed container, by Docker', actual: times, expected: 1 },
  ]
}

/** The IDs of all orders. */
async function ordersOf(token: string): Promise<Set<string>> {
  const call = caller(URLS[1] ?? '', token)
  const ids = new Set<string>()
  for (let page = 0; ; page++) {
    const ask = () => call.get(`/orders?page=${page}&size=250`)
    // A connection from before a restart may only now be found closed.
    const { body } = await ask().catch(ask)
    for (const { orderID } of body.data) ids.add(orderID)
    if (body.data.length < 250) return ids
  }
}
