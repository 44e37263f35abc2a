import { z } from 'zod'
import { defineRoute } from '../../../platform/http/route.ts'
import {
  ConfirmUpload,
  DismissUpload,
  OperatorUploadPage,
  OperatorUploadQuery,
  OperatorUploadReview,
  pageParams,
  UploadConfirmed,
  UploadDismissed,
  uploadParams,
} from './schema.ts'
import * as uploads from './service.ts'

const tag = 'Operator: uploads to review'
const scope = 'lab'
const binary = z.string().meta({ format: 'binary' })

export const listUploadsOfAll = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/uploads',
  tag,
  summary: 'List files that a person has to read, of every business',
  scope,
  query: OperatorUploadQuery,
  answers: { 200: OperatorUploadPage },
  accesses: { lists: 'upload', ids: ({ data }) => data.map(({ docID }) => docID) },
  handler: async ({ tx, query }) => ({ status: 200, body: await uploads.listUploadsOfAll(tx, query) }),
})

export const getUploadOfAll = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/uploads/:docID',
  tag,
  summary: 'Get what was read in a file',
  scope,
  params: uploadParams,
  answers: { 200: OperatorUploadReview },
  errors: ['UPLOAD_NOT_FOUND'],
  accesses: { reads: 'upload', ids: ({ docID }) => [docID] },
  handler: async ({ tx, params }) => {
    const { tx: realm, business, mode } = await uploads.locateUpload(tx, params.docID)
    return { status: 200, body: { ...(await uploads.getUpload(realm, params.docID)), business, mode } }
  },
})

export const getUploadPageOfAll = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/uploads/:docID/pages/:page',
  tag,
  summary: 'Get a page of a file as a picture',
  scope,
  params: pageParams,
  answers: { 200: binary },
  documents: ['image/png'],
  errors: ['UPLOAD_NOT_FOUND'],
  accesses: { reads: 'upload', id: ({ params }) => params.docID },
  handler: async ({ tx, params: { docID, page } }) => {
    const document = await uploads.getPageImage((await uploads.locateUpload(tx, docID)).tx, docID, page)
    return { status: 200, document, headers: { 'cache-control': 'private, no-store' } }
  },
})

export const getUploadFileOfAll = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/uploads/:docID/file',
  tag,
  summary: 'Get a file as it came',
  scope,
  params: uploadParams,
  answers: { 200: binary },
  documents: ['application/octet-stream'],
  errors: ['UPLOAD_NOT_FOUND'],
  accesses: { reads: 'upload', id: ({ params }) => params.docID },
  handler: async ({ tx, params: { docID } }) => {
    const document = await uploads.getOriginal((await uploads.locateUpload(tx, docID)).tx, docID)
    return { status: 200, document, headers: { 'cache-control': 'private, no-store' } }
  },
})

export const confirmUploadOfAll = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/uploads/:docID/results',
  tag,
  summary: 'Confirm the results of a file',
  effects: ['publishes'],
  scope,
  params: uploadParams,
  body: ConfirmUpload,
  answers: { 201: UploadConfirmed },
  errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_CLOSED', 'CUSTOMER_NOT_FOUND'],
  handler: async ({ tx, params: { docID }, body }) => ({
    status: 201,
    body: await uploads.confirmUpload((await uploads.locateUpload(tx, docID)).tx, docID, body),
  }),
})

export const dismissUploadOfAll = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/uploads/:docID/dismiss',
  tag,
  summary: 'End a review without results',
  effects: [],
  scope,
  params: uploadParams,
  body: DismissUpload,
  answers: { 200: UploadDismissed },
  errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_CLOSED', 'CUSTOMER_NOT_FOUND'],
  handler: async ({ tx, params: { docID }, body }) => {
    await uploads.dismissUpload((await uploads.locateUpload(tx, docID)).tx, docID, body.reason)
    return { status: 200, body: { docID, state: 'dismissed' as const } }
  },
})
