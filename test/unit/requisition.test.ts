import { extractText } from 'unpdf'
import { expect, it } from 'vitest'
import type { OrderContent } from '../../src/modules/lab-orders/content.ts'
import { requisitionPdf } from '../../src/modules/lab-orders/requisition.ts'
import type { KitApproval } from '../../src/modules/orders/queries.ts'

const content = (firstName: string): OrderContent => ({
  placerNumber: 'K000000001',
  fillerNumber: null,
  kitId: 'K000000001',
  person: { firstName, lastName: 'Wáng', dateOfBirth: '1980-02-03' },
  test: { kitType: 'ED1NL4E3L', code: '24331-1', name: 'Lipids', codingSystem: 'LN', specimen: 'BLDC', questions: [] },
  collected: null,
  received: null,
  ordered: '2026-11-29T10:00:00Z',
  answers: [],
})

const textOf = async (firstName: string, approval?: KitApproval) => {
  const about = { ...content(firstName), ...(approval && { approval }) }
  const pdf = await requisitionPdf({ content: about, laboratory: 'North', at: new Date('2026-11-29T10:00:00Z') })
  return (await extractText(new Uint8Array(pdf), { mergePages: true })).text
}

it('a requisition says that letters are missing which no font of it has, such as Ethiopic ones', async () => {
  expect(await textOf('አበበ')).toContain('by hand')
  expect(await textOf('小明')).not.toContain('by hand')
  const plain = await textOf('Zoë')
  expect(plain).toContain('Zoë Wáng')
  expect(plain).not.toContain('by hand')
})

it('a requisition names the provider who approved the order, where one had to', async () => {
  const approval = { provider: 'Jane Doe, MD', npi: '1234567893', date: '2026-11-28T09:00:00.000Z' }
  expect(await textOf('Zoë', approval)).toMatch(
    /Approved by\s+Provider\s+Jane Doe, MD\s+NPI\s+1234567893\s+Day\s+2026-11-28/,
  )
  expect(await textOf('Zoë')).not.toContain('Approved by')
})
