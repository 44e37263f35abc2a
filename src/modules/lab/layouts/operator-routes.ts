import { Layout, layoutName } from '@kitlane/lab-reader/parse/layout'
import { z } from 'zod'
import { defineRoute } from '../../../platform/http/route.ts'
import { recordSystem } from '../../audit/service.ts'
import { MAX_UPLOAD_BODY_BYTES } from '../schema.ts'
import { decodeDataUri } from '../upload/data-uri.ts'
import { LayoutVersion, TriedLayout } from './schema.ts'
import { layoutVersions, putLayout, switchOffLayout } from './service.ts'
import { describeTried, parseWith } from './try.ts'

const tag = 'Operator: laboratories'

export const listLayouts = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/layout-templates',
  tag,
  summary: 'List layout templates',
  description: 'All versions, by name, the newest first. How one is written: docs/layouts.md.',
  scope: 'lab',
  answers: { 200: z.array(LayoutVersion) },
  handler: async ({ tx }) => ({ status: 200, body: await layoutVersions(tx) }),
})

export const saveLayout = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/layout-templates',
  tag,
  summary: 'Add a layout template, or a version of it',
  effects: [],
  description: 'Files that are uploaded from now on are read with it where its texts stand in them.',
  scope: 'lab',
  body: Layout,
  answers: { 201: LayoutVersion },
  handler: async ({ tx, body }) => ({ status: 201, body: await putLayout(tx, body) }),
})

export const switchLayoutOff = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/layout-templates/:name/switch-off',
  tag,
  summary: 'Switch a layout template off',
  effects: [],
  description: 'One version: the newest other one that is on counts. Save the template again to switch it on.',
  scope: 'lab',
  params: z.object({ name: layoutName }),
  body: z.object({ version: z.int().min(1).max(1_000_000).optional().describe('Absent: all versions.') }),
  answers: { 200: z.object({ name: z.string() }) },
  errors: ['LAYOUT_NOT_FOUND'],
  handler: async ({ tx, params: { name }, body: { version } }) => {
    await switchOffLayout(tx, name, version)
    return { status: 200, body: { name } }
  },
})

export const tryLayout = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/layout-templates/try',
  tag,
  summary: 'Try a layout template on a file',
  effects: [],
  isTrial: true,
  description: 'What would be read with this template and no other. Neither the template nor the file is kept.',
  scope: 'lab',
  body: z.object({
    template: Layout,
    fileBlob: z.string().max(MAX_UPLOAD_BODY_BYTES).describe('`data:<mime>;base64,…`, at most 25 MiB before base64.'),
  }),
  bodyLimitBytes: MAX_UPLOAD_BODY_BYTES + 256 * 1024,
  answers: { 200: TriedLayout },
  prepare: ({ body }, { callerId }) => parseWith(decodeDataUri(body.fileBlob).content, body.template, callerId),
  handler: async ({ tx, body, prepared }) => {
    const tried = await describeTried(tx, prepared)
    const { recognised, lines } = tried
    await recordSystem(tx, [
      {
        action: 'layout.tried',
        objectType: 'layout_template',
        objectId: body.template.name,
        details: { recognised, ...lines },
      },
    ])
    return { status: 200, body: tried }
  },
})
