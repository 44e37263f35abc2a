import type { Results } from './results.ts'
import { costInWords } from './side.ts'
import { inWords } from './spread.ts'

/** The lines that end a run. */
export function* summary(results: Results): Generator<string> {
  const { intake = [], firstMinute = [], halfLoad, cost, reading, lists, starting } = results
  for (const one of intake) {
    const single = inWords(one.oneByOne.rate)
    yield `orders/s, ${one.businesses} business(es): ${inWords(one.groups.rate)}; one by one ${single}`
    yield `  an order: ${costInWords(one.groups)}`
    if (!one.peer || !one.groupsToPeer) continue
    yield `  frozen peer: ${inWords(one.peer.rate)}; ratio ${inWords(one.groupsToPeer, 2)}`
    yield `  an order of the peer: ${costInWords(one.peer)}`
  }
  for (const { businesses, start, first, steady, ratio, databaseRatio } of firstMinute) {
    const rates = `${Math.round(first.rate)}/s, then ${Math.round(steady.rate)}/s`
    yield `first minute, ${businesses} business(es), ${start}: ${rates}; ratio ${ratio.toFixed(2)}, database ${databaseRatio.toFixed(2)}`
  }
  if (halfLoad) yield `p99 at half load (${Math.round(halfLoad.rate)}/s): ${inWords(halfLoad.p99Ms, 1)} ms`
  if (cost) yield `share of row-level security, idempotency and audit: ${inWords(cost.share, 2)}`
  if (reading) {
    const rates = `${inWords(reading.ours)}; bare Fastify ${inWords(reading.bare)}`
    yield `one order/s: ${rates}; ratio ${inWords(reading.ratio, 2)}`
  }
  if (lists) {
    const { list, filter, page, ratio } = lists.worst
    const which = `${list}?${filter}, ${page}`
    yield `worst list page, ${lists.orders} to ${lists.smallOrders} orders: ${ratio.toFixed(2)} (${which})`
  }
  if (starting) yield `start: ${inWords(starting.seconds, 2)} s; idle ${inWords(starting.idleMb)} MB`
}
