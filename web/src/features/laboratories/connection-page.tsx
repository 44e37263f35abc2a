import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'
import { bodyOf, type Connection, type Draft, draftOf, newTest, nextKey, problemsIn } from './connection-draft.ts'
import { RuleFields, TransportFields } from './connection-fields.tsx'
import { TestFields } from './test-fields.tsx'

const LIST = '/operator/laboratories'

/** How a laboratory gets orders. */
export function ConnectionPage() {
  const { laboratoryID = '' } = useParams({ strict: false })
  const laboratories = useRead('/operator/v1/laboratories')
  const connections = useRead('/operator/v1/lab-connections')
  const error = laboratories.error ?? connections.error
  if (error && !(laboratories.data && connections.data)) return <ErrorAlert error={error} />
  if (!laboratories.data || !connections.data) return <Skeleton height={480} />
  const name = laboratories.data.find(({ id }) => id === laboratoryID)?.name
  if (name === undefined) {
    return (
      <EmptyState
        title={t('There is no such laboratory')}
        text={t('It may have been removed.')}
        action={<PageLink to={LIST}>{t('Laboratories')}</PageLink>}
      />
    )
  }
  const connection = connections.data.find((one) => one.laboratoryID === laboratoryID)
  return <ConnectionForm key={laboratoryID} laboratory={{ id: laboratoryID, name }} connection={connection} />
}

interface ConnectionFormProps {
  laboratory: { id: string; name: string }
  connection: Connection | undefined
}

// Fields that show themselves what is wrong with them.
const AT_FIELDS = [
  ...['kind', 'url', 'folder', 'format', 'authorization', 'application', 'facility', 'sendingFacility'],
  ...['priority', 'capacityPerDay', 'countries', 'states'],
  ...['kitType', 'code', 'name', 'codingSystem', 'specimen', 'text', 'answer', 'value'],
]

function ConnectionForm({ laboratory: { id, name }, connection }: ConnectionFormProps) {
  // What was saved meanwhile does not overwrite what is being typed.
  const [before] = useState(connection)
  const [draft, setDraft] = useState(() => draftOf(before))
  const save = useWrite('post', '/operator/v1/laboratories/{laboratoryID}/connection')
  const navigate = useNavigate()
  const change = (part: Partial<Draft>) => setDraft((former) => ({ ...former, ...part }))
  const problemOf = problemsIn(save.error?.details)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const params = { path: { laboratoryID: id } }
    const saved = await save.mutateAsync({ params, body: bodyOf(draft, before) }).catch(() => undefined)
    // The page shows the error of the request.
    if (!saved) return
    notifications.show({ message: t('{name} is saved', { name }) })
    void navigate({ to: LIST })
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <PageHeader
        title={t('How {name} gets orders', { name })}
        crumbs={[['laboratories', t('Laboratories')]]}
        sentence={t(
          'What you save counts for the next order. Orders that wait for a laboratory are tried again at once.',
        )}
      />
      <Stack gap="lg" maw={800}>
        <Section title={t('Way')}>
          <TransportFields draft={draft} before={before} change={change} problemOf={problemOf} />
        </Section>
        <Section title={t('Which orders')}>
          <RuleFields draft={draft} change={change} problemOf={problemOf} />
        </Section>
        <Section
          title={t('Tests')}
          action={
            <Button
              variant="default"
              size="xs"
              onClick={() => change({ tests: [...draft.tests, newTest(nextKey(draft.tests))] })}
            >
              {t('Add a test')}
            </Button>
          }
        >
          <TestFields tests={draft.tests} onChange={(tests) => change({ tests })} problemOf={problemOf} />
        </Section>
        {save.error && <ErrorAlert error={save.error} atFields={AT_FIELDS} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('Save')}
          </Button>
          <PageLink to={LIST}>{t('Go back')}</PageLink>
        </Group>
      </Stack>
    </form>
  )
}
