import { type Html, html } from '../../../platform/http/html.ts'
import type { Paper } from '../paper.ts'
import { tokenField } from './layout.ts'

export interface Keeping {
  token: string
  reportId: string
  isStored: boolean
  /** When the link ends, and the copy with it. */
  until: Date
}

/** Keeping the report on this device, or taking it away. Hidden where no script runs, since only a script can. */
export function keepSection({ t }: Paper, { token, reportId, isStored, until }: Keeping): Html {
  const date = t.date(until.toISOString())
  return html`<section data-copy="${isStored ? 'yes' : 'no'}" data-until="${until.toISOString()}" data-online hidden>
<h2>${t('keep.title')}</h2>
<p>${t(isStored ? 'keep.kept' : 'keep.how', { date })}</p>
<form method="post" action="/r/reports/${reportId}/keep">${tokenField(token)}<input type="hidden" name="keep" value="${isStored ? 'no' : 'yes'}">
<button class="button quiet">${t(isStored ? 'keep.remove' : 'keep.keep')}</button></form>
</section>`
}

/** What stands above a copy that is read offline. */
export const offlineNote = ({ t }: Paper, now: Date): Html =>
  html`<div class="note warn" role="status" data-offline hidden><p>${t('keep.offline', { date: t.date(now.toISOString()) })}</p></div>`
