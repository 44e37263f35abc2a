import { Sex } from '@kitlane/lab-reader/facts/schema'
import type { Command } from 'commander'
import { z } from 'zod'
import { internalKitType } from '../modules/catalogue/kit-type.ts'
import { createPanel } from '../modules/catalogue/service.ts'
import { provisionPanels } from '../modules/onboarding/administer.ts'
import { text } from '../platform/http/fields.ts'
import { addAdministration, addGroup, business, listOf, wholeNumber } from './command.ts'
import { operator } from './session.ts'

const kitType = z.string().regex(/^[A-Z][A-Z0-9_]{2,63}$/, 'must be 3 to 64 capital letters, digits and underscores')

export function addPanelCommands(root: Command): void {
  const group = addGroup(root, 'panel', 'Decide what can be tested, and who may order it.')

  addAdministration(group, {
    name: 'provision',
    summary: 'Let a business order panels, in both live and sandbox, or change their card price.',
    options: {
      '--business <business>': 'its ID or its name',
      '--panels <types>': 'kit types, separated by commas, or all',
      '--price <amount>': 'the card price of one kit, in minor units: 19900 is 199.00 (default: 19900 for a new panel)',
      '--currency <code>': 'the ISO code of its currency (default: USD for a new panel)',
    },
    input: z.object({
      business,
      panels: listOf.pipe(z.array(z.string()).min(1, 'must name a kit type')),
      price: wholeNumber.optional(),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, 'must be three capital letters such as USD')
        .optional(),
    }),
    example: 'kitlane panel provision --business "Acme Clinic" --panels ED1NL4E3L,ED2KXO3EE --price 14900',
    async run(database, { business, panels, price, currency }) {
      const wanted = panels.includes('all') ? 'all' : panels
      const provisioned = await database.asSystem(operator, (tx) =>
        provisionPanels(tx, business, wanted, { minor: price, currency }),
      )
      const { business: found, kitTypes } = provisioned
      return {
        json: { business: found, panels: kitTypes },
        text: `${found.name} may order ${kitTypes.join(', ')}.`,
      }
    },
  })

  addAdministration(group, {
    name: 'create',
    summary: 'Add a panel of your own. Businesses can order it once it is provisioned for them.',
    options: {
      '--type <type>': 'its kit type, such as ACME_HEART',
      '--name <name>': 'the name that people see',
      '--biomarkers <ids>': 'the catalogue IDs of its biomarkers, separated by commas',
      '--sex <sex>': 'M or F, if the panel is for one sex only',
    },
    input: z.object({
      type: kitType,
      name: text(200),
      biomarkers: listOf.pipe(z.array(z.string()).min(1, 'must name a biomarker')),
      sex: Sex.optional(),
    }),
    example: 'kitlane panel create --type ACME_HEART --name "Acme Heart" --biomarkers ldl,hdl,triglycerides,hs_crp',
    async run(database, { type, name, biomarkers, sex }) {
      const panel = { kitType: internalKitType(type), name, sex, biomarkers: [...new Set(biomarkers)] }
      await database.asSystem(operator, (tx) => createPanel(tx, panel))
      return {
        json: { ...panel, kitType: type },
        text: `Created the panel ${name} (${type}). To let a business order it: kitlane panel provision --business … --panels ${type}`,
      }
    },
  })
}
