import type { ComponentProps } from 'react'
import { ResultList } from '../../components/result-list.tsx'
import { t } from '../../language/t.ts'

type Props<Result> = Omit<ComponentProps<typeof ResultList<Result>>, 'states' | 'empty'>

/** Critical results, those that wait longest first. */
export function CriticalList<Result>(props: Props<Result>) {
  return (
    <ResultList
      {...props}
      states={[
        { value: 'open', label: t('Open') },
        { value: 'all', label: t('All') },
      ]}
      empty={{
        title: t('No critical results'),
        text: t('Results with which somebody may need help at once wait here.'),
      }}
    />
  )
}
