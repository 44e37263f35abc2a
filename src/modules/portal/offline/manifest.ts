import type { PageRequest } from '../../../platform/http/pages.ts'
import { selectRealms } from '../../businesses/queries.ts'
import { plain } from '../../emails/layout.ts'
import { speechOf } from '../language.ts'
import { neutralPaper, type Paper, paperOf } from '../paper.ts'
import { colorOf, iconPath } from './icon-path.ts'

/** What a browser reads of an app: the name and color of a business. It begins at a page that tells nothing. */
export async function manifest(request: PageRequest): Promise<object> {
  const paper = await paperOfBusiness(request)
  const { t } = paper
  const name = plain(paper.name) || t('page.yourTestKit')
  return {
    id: `/r?app=${paper.app ?? ''}`,
    name,
    short_name: name.slice(0, 30),
    start_url: '/r',
    scope: '/r',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: `#${colorOf(paper)}`,
    icons: [
      { src: iconPath(paper, 'icon.svg'), sizes: 'any', type: 'image/svg+xml' },
      { src: iconPath(paper, '192.png'), sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: iconPath(paper, '512.png'), sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
    ],
  }
}

async function paperOfBusiness(request: PageRequest): Promise<Paper> {
  const { businessID = '', mode: wanted } = request.params
  const speech = speechOf(request)
  const businessId = businessID.slice(0, 64)
  const realms = await request.asSystem((tx) => selectRealms(tx, businessId))
  const mode = wanted === 'sandbox' ? 'sandbox' : 'live'
  const found = realms.find((one) => one.mode === mode)
  if (!found) return neutralPaper(speech)
  return request.inRealm({ id: found.id, businessId, mode }, 'recipient', (tx) => paperOf(tx, speech))
}
