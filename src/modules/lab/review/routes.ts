import { z } from 'zod'
import { type SystemTx, within } from '../../../platform/database/tx.ts'
import type { StoredDocument } from '../../../platform/http/answer.ts'
import { defineRoute, defineRoutes } from '../../../platform/http/route.ts'
import { named } from '../../customers/named.ts'
import {
  ConfirmUpload,
  DismissUpload,
  OperatorUploadPage,
  OperatorUploadQuery,
  OperatorUploadReview,
  pageParams,
  UploadConfirmed,
  UploadDismissed,
  UploadPage,
  UploadQuery,
  UploadReview,
  uploadParams,
} from './schema.ts'
import * as uploads from './service.ts'

const audiences = {
  business: { tag: 'Uploads to review', scope: 'reports:review' },
  operator: { tag: 'Operator: uploads to review', scope: 'lab' },
} as const
const binary = z.string().meta({ format: 'binary' })

const ofOneFile = {
  audiences,
  realmOf: async (tx: SystemTx, { params }: { params: { docID: string } }) =>
    (await uploads.locateUpload(tx, params.docID)).realm,
}

export const listUploads = defineRoute({
  audience: 'business',
  ...audiences.business,
  method: 'GET',
  path: '/uploads',
  summary: 'List files that a person has to read',
  description:
    'Scans, pictures, layouts that are not known, and files that may be about somebody else; oldest first. Nothing is taken from them until a person confirms it.',
  query: UploadQuery,
  answers: { 200: UploadPage },
  accesses: { lists: 'upload', ids: ({ data }) => data.map(({ docID }) => docID) },
  handler: async ({ tx, query, access }) => {
    const { data, pagination } = await uploads.listUploads(tx, query)
    return { status: 200, body: { data: await named(tx, access.scopes, data), pagination } }
  },
})

export const getUpload = defineRoute({
  audience: 'business',
  ...audiences.business,
  method: 'GET',
  path: '/uploads/:docID',
  summary: 'Get what was read in a file',
  description:
    'Suggestions, each with where it stands on the page and why to doubt it. Text recognition loses decimal points with high confidence: compare every value with the page.',
  params: uploadParams,
  answers: { 200: UploadReview },
  errors: ['UPLOAD_NOT_FOUND'],
  accesses: { reads: 'upload', ids: ({ docID }) => [docID] },
  handler: async ({ tx, params }) => ({ status: 200, body: await uploads.getUpload(tx, params.docID) }),
})

export const listUploadsOfAll = defineRoute({
  audience: 'operator',
  ...audiences.operator,
  method: 'GET',
  path: '/uploads',
  summary: 'List files that a person has to read, of every business',
  query: OperatorUploadQuery,
  answers: { 200: OperatorUploadPage },
  accesses: { lists: 'upload', ids: ({ data }) => data.map(({ docID }) => docID) },
  handler: async ({ tx, query }) => ({ status: 200, body: await uploads.listUploadsOfAll(tx, query) }),
})

export const getUploadOfAll = defineRoute({
  audience: 'operator',
  ...audiences.operator,
  method: 'GET',
  path: '/uploads/:docID',
  summary: 'Get what was read in a file',
  params: uploadParams,
  answers: { 200: OperatorUploadReview },
  errors: ['UPLOAD_NOT_FOUND'],
  accesses: { reads: 'upload', ids: ({ docID }) => [docID] },
  handler: async ({ tx, params }) => {
    const { realm, ...whose } = await uploads.locateUpload(tx, params.docID)
    return { status: 200, body: { ...(await uploads.getUpload(within(tx, realm), params.docID)), ...whose } }
  },
})

export const { business: getUploadPage, operator: getUploadPageOfAll } = defineRoutes({
  ...ofOneFile,
  method: 'GET',
  path: '/uploads/:docID/pages/:page',
  summary: 'Get a page of a file as a picture',
  description: 'PNG of 16 shades of grey, about 150 dpi, drawn by the service; `pageImages` says which there are.',
  params: pageParams,
  answers: { 200: binary },
  documents: ['image/png'],
  errors: ['UPLOAD_NOT_FOUND'],
  accesses: { reads: 'upload', id: ({ params }) => params.docID },
  handler: async ({ tx, params }) => storedAnswer(await uploads.getPageImage(tx, params.docID, params.page)),
})

export const { business: getUploadFile, operator: getUploadFileOfAll } = defineRoutes({
  ...ofOneFile,
  method: 'GET',
  path: '/uploads/:docID/file',
  summary: 'Get a file as it came',
  description: 'Always as an attachment under a name of ours, and never as a type that a browser would show.',
  params: uploadParams,
  answers: { 200: binary },
  documents: ['application/octet-stream'],
  errors: ['UPLOAD_NOT_FOUND'],
  accesses: { reads: 'upload', id: ({ params }) => params.docID },
  handler: async ({ tx, params }) => storedAnswer(await uploads.getOriginal(tx, params.docID)),
})

export const { business: confirmUpload, operator: confirmUploadOfAll } = defineRoutes({
  ...ofOneFile,
  method: 'POST',
  path: '/uploads/:docID/results',
  summary: 'Confirm the results of a file',
  effects: ['publishes'],
  description: 'Makes the report of what a person has compared with the page, value by value, and ends the review.',
  params: uploadParams,
  body: ConfirmUpload,
  answers: { 201: UploadConfirmed },
  errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_CLOSED', 'CUSTOMER_NOT_FOUND'],
  handler: async ({ tx, params, body }) => ({ status: 201, body: await uploads.confirmUpload(tx, params.docID, body) }),
})

export const { business: dismissUpload, operator: dismissUploadOfAll } = defineRoutes({
  ...ofOneFile,
  method: 'POST',
  path: '/uploads/:docID/dismiss',
  summary: 'End a review without results',
  effects: [],
  params: uploadParams,
  body: DismissUpload,
  answers: { 200: UploadDismissed },
  errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_CLOSED', 'CUSTOMER_NOT_FOUND'],
  handler: async ({ tx, params, body }) => {
    await uploads.dismissUpload(tx, params.docID, body.reason)
    return { status: 200, body: { docID: params.docID, state: 'dismissed' as const } }
  },
})

const privately = { 'cache-control': 'private, no-store' }

const storedAnswer = (document: StoredDocument) => ({ status: 200 as const, document, headers: privately })
