import { Anchor, Code, Select, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { useRead } from '../../api/hooks.ts'
import type { OperatorAuditEntry } from '../../api/operator-shapes.ts'
import { useMaybeRealm, useRealmPath } from '../../app/realm.tsx'
import { DataTable } from '../../components/data-table.tsx'
import type { Filter } from '../../components/filter-chip.tsx'
import type { ListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { CopyBlock } from '../../components/raw-json.tsx'
import { ExactDate } from '../../components/relative-date.tsx'
import { filled, t } from '../../language/t.ts'
import { detailsInWords } from './details.ts'
import { type Names, shortOf, whoIs } from './names.tsx'
import { groups, labelOf, sentenceOf } from './sentences/sentences.ts'

const choices = groups.map(({ label, sentences, isOperators }) => ({
  isOperators,
  group: label,
  items: Object.entries(sentences).map(([value, sentence]) => ({ value, label: labelOf(sentence) })),
}))

const chips: readonly Filter[] = [
  { kind: 'dates', key: 'date', label: t('When'), from: 'from', to: 'to' },
  { kind: 'text', key: 'actor', label: t('Actor') },
  { kind: 'text', key: 'objectID', label: 'ID' },
]
const operatorChips: readonly Filter[] = [...chips, { kind: 'text', key: 'businessID', label: t('Business ID') }]

// The folders of their pages: of a business, and of the operator.
const folders: Readonly<Record<string, readonly [string, string?]>> = {
  biomarker: ['', 'catalogue'],
  bulk_job: ['bulk'],
  business: ['', 'businesses'],
  customer: ['customers'],
  email: ['', 'mail'],
  kit: ['kits', 'kits'],
  order: ['orders', 'orders'],
  plan: ['plans'],
  recall: ['', 'recalls'],
  report: ['reports', 'review'],
  shop: ['developers/shops'],
  upload: ['uploads', 'uploads'],
  webhook: ['developers/webhooks'],
}
// What a sandbox has that the operator sees.
const ofSandbox = ['business', 'email', 'upload']

interface AuditListProps {
  state: ListState
  audit: Pick<ReturnType<typeof useRead<'/operator/v1/audit'>>, 'data' | 'error' | 'refetch'>
  names: Names
}

/** Entries as sentences. What was done is chosen in words, by what it concerns; an action without words stays as it is. */
export function AuditList({ state, audit, names }: AuditListProps) {
  const isOperator = useMaybeRealm() === undefined
  const path = useRealmPath()
  const { action = null } = state.filters
  const data = choices.filter(({ isOperators }) => isOperator || !isOperators)
  const isKnown = action === null || data.some(({ items }) => items.some(({ value }) => value === action))
  function hrefOf({ objectType, objectID, business, mode }: OperatorAuditEntry): string | undefined {
    if (isOperator && mode === 'sandbox' && !ofSandbox.includes(objectType)) return undefined
    if (isOperator && objectType === 'customer')
      return business && path('businesses', business.id, 'customers', objectID)
    const folder = folders[objectType]?.[isOperator ? 1 : 0]
    return folder ? path(...folder.split('/'), objectID) : undefined
  }
  const filter = (key: 'actor' | 'objectID', id: string, text: string) => (
    <Anchor component="button" type="button" size="sm" title={id} onClick={() => state.filter({ [key]: id })}>
      {text}
    </Anchor>
  )
  const sentence = (entry: OperatorAuditEntry) => {
    const href = hrefOf(entry)
    const { actor, objectType, objectID } = entry
    const known = objectID === 'unknown' ? t('an unknown account') : names.get(`${objectType}:${objectID}`)
    const name = known ?? shortOf(objectID)
    const of = href ? <PageLink to={href}>{name}</PageLink> : filter('objectID', objectID, name)
    return <Entry entry={entry} who={filter('actor', actor, whoIs(actor, names))} of={of} />
  }
  const ofBusiness = ({ business, mode }: OperatorAuditEntry) =>
    business ? (mode === 'sandbox' ? t('{name} (sandbox)', { name: business.name }) : business.name) : '–'
  return (
    <>
      <ListToolbar state={state} filters={isOperator ? operatorChips : chips}>
        <Select
          size="xs"
          w={280}
          searchable
          clearable
          aria-label={t('What was done')}
          placeholder={t('What was done')}
          nothingFoundMessage={t('Nothing found')}
          data={isKnown ? data : [...data, { group: t('Other'), items: [{ value: action, label: action }] }]}
          value={action}
          onChange={(value) => state.filter({ action: value ?? undefined })}
        />
      </ListToolbar>
      <DataTable
        label={t('Audit')}
        rows={audit.data?.data}
        error={audit.error}
        retry={() => void audit.refetch()}
        rowKey={({ id }) => id}
        columns={[
          { header: t('When'), cell: ({ at }) => <ExactDate value={at} /> },
          { header: t('What was done'), cell: sentence },
          ...(isOperator ? [{ header: t('Business'), cell: ofBusiness, isMinor: true }] : []),
        ]}
        empty={{ title: t('No entries'), text: t('Clear the filter to see all entries.') }}
      />
      <Pager state={state} pagination={audit.data?.pagination} />
    </>
  )
}

/** What has no place in the sentence is below it, and the JSON a click away. */
function Entry({ entry, who, of }: { entry: OperatorAuditEntry; who: ReactNode; of: ReactNode }) {
  const { action, details = {}, ip } = entry
  const message = sentenceOf(action)
  const said = /<more>.*\{(\w+)[,}]/.exec(message ?? '')?.slice(1) ?? []
  // Entries of older releases may lack one.
  const isWhole = said.every((name) => details[name] !== undefined)
  const values = Object.fromEntries(said.map((name) => [name, (details[name] as ReactNode) ?? 0]))
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      {message
        ? filled(message, { ...values, who, of, more: (parts) => (isWhole ? parts : null) })
        : filled('{who} <code>{action}</code> {of}', { who, of, action, code: (name) => <Code>{name}</Code> })}
      <details style={{ contain: 'inline-size' }}>
        <Text component="summary" size="xs" lh="24px" c="dimmed">
          {[...detailsInWords(details, said), ...(ip ? [t('from {ip}', { ip })] : []), 'JSON'].join(' · ')}
        </Text>
        <CopyBlock text={JSON.stringify(entry, null, 2)} label={t('Copy JSON')} name="JSON" />
      </details>
    </div>
  )
}
