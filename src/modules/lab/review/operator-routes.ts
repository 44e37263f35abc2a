import { z } from 'zod'
import { operatorRoute } from '../../../platform/http/operator-route.ts'
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
import { confirmUpload, dismissUpload, getOriginal, getPage, getUpload, listUploadsOfAll, locate } from './service.ts'

const tag = 'Operator: uploads to review'
const scope = 'lab'
const binary = z.string().meta({ format: 'binary' })

export const listUploads = operatorRoute({
  method: 'GET',
  path: '/uploads',
  id: 'listUploadsOfAll',
  reads: 'upload',
  tag,
  summary: 'List files that a person has to read, of every business',
  scope,
  query: OperatorUploadQuery,
  responses: { 200: OperatorUploadPage },
  handler: async ({ tx, query }) => ({ status: 200, body: await listUploadsOfAll(tx, query) }),
})

export const getReview = operatorRoute({
  method: 'GET',
  path: '/uploads/:docID',
  id: 'getUploadOfAll',
  reads: 'upload',
  tag,
  summary: 'Get what was read in a file',
  scope,
  params: uploadParams,
  responses: { 200: OperatorUploadReview },
  errors: ['UPLOAD_NOT_FOUND'],
  handler: async ({ tx, params }) => {
    const { tx: realm, business, mode } = await locate(tx, params.docID)
    return { status: 200, body: { ...(await getUpload(realm, params.docID)), business, mode } }
  },
})

export const getReviewPage = operatorRoute({
  method: 'GET',
  path: '/uploads/:docID/pages/:page',
  id: 'getUploadPageOfAll',
  reads: 'upload',
  tag,
  summary: 'Get a page of a file as a picture',
  scope,
  params: pageParams,
  responses: { 200: binary },
  documents: ['image/png'],
  errors: ['UPLOAD_NOT_FOUND'],
  handler: async ({ tx, params: { docID, page } }) => {
    const body = await getPage((await locate(tx, docID)).tx, docID, page)
    return {
      status: 200,
      document: { contentType: 'image/png', body },
      headers: { 'cache-control': 'private, no-store' },
    }
  },
})

export const getReviewFile = operatorRoute({
  method: 'GET',
  path: '/uploads/:docID/file',
  id: 'getUploadFileOfAll',
  reads: 'upload',
  tag,
  summary: 'Get a file as it came',
  scope,
  params: uploadParams,
  responses: { 200: binary },
  documents: ['application/octet-stream'],
  errors: ['UPLOAD_NOT_FOUND'],
  handler: async ({ tx, params: { docID } }) => {
    const { content: body, name } = await getOriginal((await locate(tx, docID)).tx, docID)
    const headers = { 'cache-control': 'private, no-store', 'content-disposition': `attachment; filename="${name}"` }
    return { status: 200, document: { contentType: 'application/octet-stream', body }, headers }
  },
})

export const confirmReview = operatorRoute({
  method: 'POST',
  path: '/uploads/:docID/results',
  id: 'confirmUploadOfAll',
  tag,
  summary: 'Confirm the results of a file',
  scope,
  params: uploadParams,
  body: ConfirmUpload,
  responses: { 201: UploadConfirmed },
  errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_CLOSED', 'CUSTOMER_NOT_FOUND'],
  handler: async ({ tx, params: { docID }, body }) => ({
    status: 201,
    body: await confirmUpload((await locate(tx, docID)).tx, docID, body),
  }),
})

export const dismissReview = operatorRoute({
  method: 'POST',
  path: '/uploads/:docID/dismiss',
  id: 'dismissUploadOfAll',
  tag,
  summary: 'End a review without results',
  scope,
  params: uploadParams,
  body: DismissUpload,
  responses: { 200: UploadDismissed },
  errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_CLOSED', 'CUSTOMER_NOT_FOUND'],
  handler: async ({ tx, params: { docID }, body }) => {
    await dismissUpload((await locate(tx, docID)).tx, docID, body.reason)
    return { status: 200, body: { docID, state: 'dismissed' as const } }
  },
})
