import { defineModule, defineTables, moves, stays } from '../define-module.ts'
import { passTime } from './pass-time-queries.ts'
import { sealedShares } from './share-queries.ts'

export const links = defineModule({
  name: 'links',
  tables: defineTables({
    birth_date_failures: {
      written: 'wrong dates of birth are counted by service.ts',
      times: { at: stays('a limit against guessing dates of birth') },
    },
    personal_links: {
      written: 'personal links are made and ended by service.ts',
      times: {
        created_at: moves('how many a person may ask for in a day is counted by it'),
        expires_at: moves('a link ends then'),
        locked_until: stays('nothing reads it any more'),
      },
    },
    report_shares: {
      written: 'shared reports are written by shares.ts',
      sealed: [sealedShares],
      times: {
        created_at: moves('the person sees since when and until when a link works'),
        expires_at: moves('a link ends then'),
        opened_at: moves('lies between the two others'),
      },
    },
    personal_sessions: {
      written: 'sessions of a personal link are begun and ended by service.ts',
      times: { expires_at: moves('a visit ends then') },
    },
  }),
  readsBelow: [
    {
      file: 'queries.ts',
      tables: ['customers'],
      why: 'a personal link opens by the date of birth of its customer, locked in one statement',
    },
  ],
  sandbox: { passTime },
})
