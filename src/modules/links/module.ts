import { defineModule, defineTables, moves, type PeopleData, stays } from '../define-module.ts'
import { advanceClock, deleteLinksAndFailures, sealedShares } from './queries.ts'

const aboutPersonalLinks: PeopleData = {
  in: 'person',
  what: "links and sessions of the person's pages",
  sealed: 'SHA-256 of a random secret',
  clear: 'customer number',
  kept: '90 days and 30 more; 30 minutes',
  readBy: 'nobody',
  erasure: 'deleted',
}

export const links = defineModule({
  name: 'links',
  tables: defineTables({
    birth_date_failures: {
      written: 'wrong dates of birth are counted by service.ts',
      people: {
        in: 'person',
        what: 'network of a wrong date of birth',
        sealed: 'hash',
        clear: 'customer number, time',
        kept: '1 day',
        readBy: 'nobody',
        erasure: 'deleted',
      },
      times: { at: stays('a limit against guessing dates of birth') },
    },
    personal_links: {
      written: 'personal links are made and ended by service.ts',
      people: aboutPersonalLinks,
      times: {
        created_at: moves('how many a person may ask for in a day is counted by it'),
        expires_at: moves('a link ends then'),
        locked_until: stays('nothing reads it any more'),
      },
    },
    report_shares: {
      written: 'shared reports are written by shares.ts',
      people: {
        in: 'person',
        what: 'links to one report, and for whom they are',
        sealed: 'yes; the secret as SHA-256 in `personal_links`',
        clear: 'customer number, report, times',
        kept: '30 days after their end',
        readBy: 'the person',
        erasure: 'deleted',
      },
      sealed: [sealedShares],
      times: {
        created_at: moves('the person sees since when and until when a link works'),
        expires_at: moves('a link ends then'),
        opened_at: moves('lies between the two others'),
      },
    },
    personal_sessions: {
      written: 'sessions of a personal link are begun and ended by service.ts',
      people: aboutPersonalLinks,
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
  person: { erase: (tx, { id }) => deleteLinksAndFailures(tx, id) },
  sandbox: { advanceClock },
})
