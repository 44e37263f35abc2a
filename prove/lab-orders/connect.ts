import type { Caller, Reply } from '../../test/harness/caller.ts'
import { CORE } from '../../test/harness/orders.ts'
import { type FaultyLaboratory, type Line, lines } from './laboratory.ts'

/** Of each line: where the people live whom its laboratory tests. */
export const states: Record<Line, string> = { mllp: 'CA', hl7: 'NY', fhir: 'TX' }
/** A ZIP code of each. */
export const zips: Record<Line, string> = { mllp: '90001', hl7: '12345', fhir: '78701' }

/** A laboratory for each line. Returns what makes what is due sent: one is saved as it is. */
export async function connect(
  operator: Pick<Caller, 'post'>,
  { urls }: FaultyLaboratory,
): Promise<() => Promise<unknown>> {
  const test = { kitType: CORE, code: '24331-1', name: 'Lipid panel', codingSystem: 'LN', specimen: 'BLDC' }
  let wake = (): Promise<unknown> => Promise.resolve()
  for (const line of lines) {
    const { id } = right(await operator.post('/laboratories', { name: `Laboratory ${line}`, address: '1 Road' })).body
    const connection = {
      transport: { kind: line === 'mllp' ? 'mllp' : 'https', url: urls[line] },
      format: line === 'fhir' ? 'fhir' : 'hl7v2',
      countries: ['US'],
      states: [states[line]],
      tests: [test],
    }
    const save = () => operator.post(`/laboratories/${id}/connection`, connection)
    right(await save())
    wake = save
  }
  return wake
}

export function right(reply: Reply): Reply {
  if (reply.status >= 300) throw new Error(`${reply.status}: ${reply.text}`)
  return reply
}
