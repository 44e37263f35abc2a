import { z } from 'zod'
import { defineRoute } from '../../platform/http/route.ts'
import { publicKitType } from './kit-type.ts'
import { promisedOf, promises } from './promises.ts'
import { Biomarker, orderLimits, people, promised } from './schema.ts'
import { biomarkers, provisioned, shownOrderLimits, shownPeople } from './service.ts'

const tag = 'Catalogue'

export const listBiomarkers = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/biomarkers',
  tag,
  summary: 'List biomarkers',
  description:
    'Every biomarker with its units, ranges and where each range comes from. The ranges are a draft that a laboratory director must approve. Holds LOINC codes: see NOTICE.',
  scope: 'catalogue:read',
  answers: { 200: z.array(Biomarker) },
  handler: async ({ tx }) => ({ status: 200, body: [...(await biomarkers(tx))] }),
})

const Panel = z
  .object({
    kitType: z.string(),
    name: z.string(),
    ...people,
    ...promised,
    ...orderLimits,
    price: z.object({ amount: z.int(), currency: z.string() }).describe('What one kit costs by card, in minor units.'),
    biomarkers: z.array(z.string()).describe('Catalogue IDs, see /biomarkers.'),
  })
  .meta({ id: 'Panel' })

export const listPanels = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/panels',
  tag,
  summary: 'List panels',
  description: 'The panels that the business may order, with price and markers.',
  scope: 'catalogue:read',
  answers: { 200: z.array(Panel) },
  handler: async ({ tx }) => {
    const [panels, days] = [await provisioned(tx), await promises(tx)]
    return {
      status: 200,
      body: panels.map(({ kitType, name, priceMinor, currency, biomarkers, ...rules }) => ({
        kitType: publicKitType(kitType),
        name,
        ...shownPeople(rules),
        ...promisedOf(days, kitType),
        ...shownOrderLimits(rules),
        price: { amount: priceMinor, currency },
        biomarkers,
      })),
    }
  },
})
