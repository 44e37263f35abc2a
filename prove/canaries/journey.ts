import { httpReceiver } from '../../test/harness/receivers.ts'
import { added, messages, results, uploaded } from './laboratory.ts'
import { mistakes, pages, sent, settled } from './pages.ts'
import {
  carried,
  customers,
  guarded,
  ordered,
  orderedFlat,
  orderedInBulk,
  registered,
  rejected,
  visited,
} from './people.ts'
import { type Journey, right } from './traveller.ts'

/** Puts a canary into every field that holds something of a person, through the API and the pages. */
export async function travel(journey: Journey): Promise<void> {
  const { live, marks, step } = journey
  const echo = await httpReceiver((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    // An endpoint that repeats what it was sent, and says something of its own.
    request.on('end', () => response.end(`${answer} ${Buffer.concat(chunks)}`))
  })
  let answer = ''
  try {
    await step('a webhook endpoint that answers with what it got', async () => {
      answer = marks.word('answers of webhook endpoints')
      right(await live.post('/webhooks', { url: `http://127.0.0.1:${echo.port}/hook` }))
    })
    const kitID = await step('an order', () => ordered(journey))
    await step('an order in the flat form', () => orderedFlat(journey))
    await step('an order in bulk', () => orderedInBulk(journey))
    if (kitID) await step('what a carrier says', () => carried(journey, kitID))
    const customerId = kitID && (await step('a registration', () => registered(journey, kitID)))
    if (kitID && customerId) {
      await results(journey, kitID, customerId)
      await added(journey, customerId)
      await uploaded(journey, customerId)
    }
    await customers(journey)
    await messages(journey)
    await step('a guardian', () => guarded(journey))
    await step('a sample that is rejected, and its replacement', () => rejected(journey))
    await step('a stay of the operator', () => visited(journey))
    await step('the pages of a person', () => pages(journey))
    await step('the links of e-mails that were sent', () => sent(journey))
    await step('mistakes', () => mistakes(journey))
    await step('webhooks and jobs that end', () => settled(journey))
  } finally {
    await echo.stop()
  }
}
