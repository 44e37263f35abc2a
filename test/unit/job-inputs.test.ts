import { expect, it } from 'vitest'
import { jobs } from '../../src/modules/index.ts'

interface Field {
  shape?: Record<string, Field>
  element?: Field
}

const namesIn = ({ shape = {}, element }: Field): string[] => [
  ...Object.entries(shape).flatMap(([name, field]) => [name, ...namesIn(field)]),
  ...(element ? namesIn(element) : []),
]

// `account`: the hash of an address. `sealed`: an address, sealed. `by`: `webhook` or `email`.
// `deliveryId`: the number that a shop gives to what it sends.
// `kitType`: of a business's credits. `kind`, `subject`: what administrators are told, by the ID of an order or a card.
// `isAll`: whether all that waits is looked at again. `language`: of the page where somebody asked, one of six.
const harmless = [
  ...[
    'account',
    'alarmId',
    'businessId',
    'by',
    'deliveryId',
    'docId',
    'emailId',
    'emailIds',
    'id',
    'isAll',
    'jobId',
    'kind',
    'kitId',
    'kitType',
    'language',
    'mode',
    'orderId',
    'paymentId',
    'realm',
    'shopId',
    'sessionId',
    'subject',
  ],
  'sealed',
]

it('the input of a job, which the queue keeps in clear, holds identifiers only', () => {
  const names = jobs.flatMap(({ input }) => namesIn(input as Field))
  expect(names).not.toEqual([])
  expect([...new Set(names)].filter((name) => !harmless.includes(name))).toEqual([])
})
