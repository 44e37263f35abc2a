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
// `language`: of the page where somebody asked, one of six.
const harmless = [
  ...[
    'account',
    'alarmId',
    'businessId',
    'by',
    'docId',
    'emailId',
    'emailIds',
    'id',
    'jobId',
    'language',
    'mode',
    'orderId',
    'paymentId',
    'realm',
  ],
  'sealed',
]

it('the input of a job, which the queue keeps in clear, holds identifiers only', () => {
  const names = jobs.flatMap(({ input }) => namesIn(input as Field))
  expect(names).not.toEqual([])
  expect([...new Set(names)].filter((name) => !harmless.includes(name))).toEqual([])
})
