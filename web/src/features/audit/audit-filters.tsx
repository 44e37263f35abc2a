import { Select } from '@mantine/core'
import type { Filter } from '../../components/filter-chip.tsx'
import type { ListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { t } from '../../language/t.ts'
import { groups, labelOf } from './sentences/sentences.ts'

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

/** What was done is chosen in words, by what it concerns. An action in the URL that has no words stands as it is. */
export function AuditFilters({ state, isOperator = false }: { state: ListState; isOperator?: boolean }) {
  const { action = null } = state.filters
  const data = choices.filter(({ isOperators }) => isOperator || !isOperators)
  const isKnown = action === null || data.some(({ items }) => items.some(({ value }) => value === action))
  return (
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
  )
}
