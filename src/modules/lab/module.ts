import { defineModule, defineTables, happened, made, operators, purged } from '../define-module.ts'
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

export const lab = defineModule({
  name: 'lab',
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
      sealed: [sealedData],
      times: { created_at: purged },
    },
    documents: {
      written: 'files are stored by upload/store.ts',
      sealed: [sealedContents, sealedFileNames],
      files: sealedContents,
      times: { created_at: purged },
    },
    received_documents: {
      written: 'what was received is kept by received/queries.ts',
      sealed: [sealedReceived],
      times: { received_at: happened },
    },
    file_jobs: {
      written: 'jobs that read files are made and run by upload/job.ts',
      sealed: [sealedFileJobs],
      times: { created_at: made, finished_at: happened },
    },
    layout_templates: {
      written: 'layout templates are saved and switched off by layouts/service.ts',
      times: { created_at: operators },
    },
    lab_messages: {
      written: 'messages are queued by messages/queue.ts, and ended by messages/close.ts',
      sealed: [sealedMessages],
      times: { closed_at: operators, received_at: operators },
    },
    upload_pages: {
      written: 'pages of uploads are drawn and stored by review/recognise.ts',
      sealed: [sealedPages],
      files: sealedPages,
    },
    upload_reviews: {
      written: 'reviews are opened by review/open.ts, and ended by review/service.ts',
      sealed: [sealedFindings, sealedNotes],
      times: { closed_at: happened, received_at: made },
    },
  }),
})
