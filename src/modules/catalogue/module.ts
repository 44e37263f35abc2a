import { defineModule, defineTables, made, operators } from '../define-module.ts'
import * as catalogueOperator from './operator-routes.ts'
import * as routes from './routes.ts'
import * as catalogueTexts from './text-routes.ts'

export const catalogue = defineModule({
  name: 'catalogue',
  tags: {
    Catalogue: 'What can be ordered, and what is measured.',
    'Operator: catalogue': 'Biomarkers, ranges and panels.',
  },
  routes: [routes, catalogueOperator, catalogueTexts],
  tables: defineTables({
    biomarkers: {
      written: 'biomarkers are edited by edit.ts',
      times: { created_at: operators },
    },
    panels: {
      written: 'panels are made by service.ts',
      times: { created_at: operators },
    },
    realm_panels: {
      written: 'panels are provisioned by service.ts',
      staysInReset: 'a setting: what the business sells',
      times: { created_at: made },
    },
    catalogue_texts: {
      written: 'texts are written by texts.ts',
      people: {
        in: 'results',
        what: "what people read about biomarkers and panels; the reviewer's name",
        sealed: 'no',
        clear: 'all',
        kept: 'no term',
        readBy: 'everybody who reads the catalogue',
        erasure: 'not about the person',
      },
      times: { created_at: operators },
    },
    range_signatures: {
      written: 'signatures are added by signatures.ts',
      times: { signed_at: operators },
    },
    panel_promises: {
      written: 'what is promised of a panel is added by promises.ts',
      times: { since: operators },
    },
  }),
})
