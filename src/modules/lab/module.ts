import { defineModule, defineTables, happened, made, operators, type PeopleData, purged } from '../define-module.ts'
import * as labJobs from './jobs.ts'
import * as layoutsOperator from './layouts/operator-routes.ts'
import { sealedMessages } from './messages/sealed-queries.ts'
import * as labOperator from './operator-routes.ts'
import * as received from './received/routes.ts'
import { sealedReceived } from './received/sealed-queries.ts'
import * as redrawOperator from './redraw/operator-routes.ts'
import * as uploads from './review/routes.ts'
import { sealedFindings, sealedNotes, sealedPages } from './review/sealed-queries.ts'
import * as customerData from './routes.ts'
import { sealedContents, sealedData, sealedFileJobs, sealedFileNames } from './sealed-queries.ts'

const aboutUploadReviews: PeopleData = {
  in: 'results',
  what: 'what was found in a file; its pages as pictures; notes',
  sealed: 'yes; the pictures are in the file store, sealed',
  clear: 'format, counts, state',
  kept: 'findings and pages until the review is closed; notes: no term',
  readBy: '`reports:review`; *op* `lab`',
  erasure: 'deleted',
}

export const lab = defineModule({
  name: 'lab',
  tags: {
    'Customer data': 'Adding results and answers of your own for a person tested.',
    'Uploads to review': 'Files of customers in doubt, for a person to confirm.',
    'Operator: laboratory': 'Receiving samples and taking results in.',
    'Operator: uploads to review': 'Files of customers in doubt, over all businesses.',
  },
  routes: [received, customerData, uploads, labOperator, redrawOperator, layoutsOperator],
  jobs: [
    labJobs.readUploadedFile,
    labJobs.readUploadedRow,
    labJobs.recogniseUpload,
    labJobs.recogniseUploadedRow,
    labJobs.forgetAssignedMessages,
  ],
  tables: defineTables({
    customer_data: {
      written: 'data about a customer is added by add-data.ts',
      people: {
        in: 'results',
        what: 'quizzes and results that a business added',
        sealed: 'yes',
        clear: 'kind, date',
        kept: 'no term',
        readBy: '`customers:read`; quizzes: *op* `approvals`',
        erasure: 'deleted',
      },
      sealed: [sealedData],
      times: { created_at: purged },
    },
    documents: {
      written: 'files are stored by routes.ts',
      people: {
        in: 'results',
        what: 'uploaded files and their names',
        sealed: 'yes, two values; the bytes are in the file store, sealed',
        clear: 'media type',
        kept: 'no term',
        readBy: '`reports:review`; *op* `lab`',
        erasure: 'deleted',
      },
      sealed: [sealedContents, sealedFileNames],
      files: sealedContents,
      times: { created_at: purged },
    },
    received_documents: {
      written: 'what was received is kept by received/queries.ts',
      people: {
        in: 'results',
        what: 'every result of a message or file as it was sent, and how many lines were assessed',
        sealed: 'yes',
        clear: 'format, counts, time',
        kept: 'as the report, data or kit that it came with',
        readBy: '`reports:review`; *op* `review`',
        erasure: 'deleted',
      },
      sealed: [sealedReceived],
      times: { received_at: happened },
    },
    file_jobs: {
      written: 'jobs that read files are made and run by upload/job.ts',
      people: {
        in: 'results',
        what: 'what reading a file gave',
        sealed: 'yes',
        clear: 'state, times',
        kept: 'no term',
        readBy: '`customers:read`',
        erasure: 'deleted',
      },
      sealed: [sealedFileJobs],
      times: { created_at: made, finished_at: happened },
    },
    layout_templates: {
      written: 'layout templates are saved and switched off by layouts/service.ts',
      people: {
        in: 'results',
        what: "how laboratories' documents are laid out",
        sealed: 'no',
        clear: 'all',
        kept: 'no term',
        readBy: '*op* `lab`',
        erasure: 'not about the person',
      },
      times: { created_at: operators },
    },
    lab_messages: {
      written: 'messages are queued by messages/queue.ts, and ended by messages/close.ts',
      people: {
        in: 'results',
        what: 'patient and results of messages that wait',
        sealed: "operator's; hash of the date of birth",
        clear: 'accession, named kit, whether it is critical, reason',
        kept: 'content emptied when the message is discarded, or 30 days after it was assigned (until then the assignment can be undone)',
        readBy: '*op* `lab`',
        erasure: 'emptied if it is surely about the person; else it says that a person must look',
      },
      sealed: [sealedMessages],
      times: { closed_at: operators, received_at: operators },
    },
    upload_pages: {
      written: 'pages of uploads are drawn and stored by review/recognise.ts',
      people: aboutUploadReviews,
      sealed: [sealedPages],
      files: sealedPages,
    },
    upload_reviews: {
      written: 'reviews are opened by review/open.ts, and ended by review/service.ts',
      people: aboutUploadReviews,
      sealed: [sealedFindings, sealedNotes],
      times: { closed_at: happened, received_at: made },
    },
  }),
  readsBelow: [
    {
      file: 'messages/queries.ts',
      tables: ['undelivered_kits'],
      why: 'it is asked before a sample of a kit is received that reached nobody',
    },
    {
      file: 'messages/queries.ts',
      tables: ['lab_order_messages'],
      why: 'results find their kit by each number that the laboratory gave its order',
    },
  ],
})
