import type { components, Query } from '@kitlane/client'
import { Group, Stack, Text } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { useListState } from '../../components/list-state.ts'
import { Pager } from '../../components/pager.tsx'
import { dayOf } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'

type Remark = components['schemas']['PassedRemark']

/** What laboratories write beside results and reviewers let pass: it holds no result any more. */
export function PassedRemarks() {
  const state = useListState<Query<'/operator/v1/passed-remarks'>>([])
  const list = useRead('/operator/v1/passed-remarks', { params: { query: state.query } }, { keep: true })
  if (!list.data || list.data.pagination.total === 0) return null
  return (
    <Section title={t('Remarks that pass')}>
      <Text c="dimmed">
        {t('Reviewers assigned results beside these remarks. In the same words they hold no result any more.')}
      </Text>
      <Stack>
        {list.data.data.map((remark) => (
          <PassedRemark key={remark.id} remark={remark} />
        ))}
      </Stack>
      <Pager state={state} pagination={list.data.pagination} />
    </Section>
  )
}

function PassedRemark({ remark }: { remark: Remark }) {
  const remove = useWrite('post', '/operator/v1/passed-remarks/{remarkID}/remove')
  const { id, sentence, laboratory, biomarker, business, passedBy, passedDate } = remark
  return (
    <Group justify="space-between" wrap="nowrap">
      <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
        <Text>{sentence}</Text>
        <Text size="sm" c="dimmed">
          {[laboratory, biomarker, business.name, passedBy, dayOf(passedDate)].join(' · ')}
        </Text>
      </Stack>
      <ConfirmButton
        label={t('Remove')}
        isDangerous
        sentence={t('Results beside this remark wait for a person again. Reports keep what they say.')}
        action={() => remove.mutateAsync({ params: { path: { remarkID: id } } })}
        done={t('The remark holds results again')}
      />
    </Group>
  )
}
