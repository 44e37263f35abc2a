import type { ComponentProps } from 'react'
import { ResultList } from '../../components/result-list.tsx'
import { t } from '../../language/t.ts'

type Props<Result> = Omit<ComponentProps<typeof ResultList<Result>>, 'states' | 'empty'>

/** Results that could not be assessed, critical first: open or closed. */
export function UnassessedList<Result>(props: Props<Result>) {
  return (
    <ResultList
      {...props}
      states={[
        { value: 'open', label: t('Open') },
        { value: 'closed', label: t('Closed') },
      ]}
      empty={{
        title: t('Nothing to follow up'),
        text: t('Results that were received and could not be assessed are listed here.'),
      }}
    />
  )
}
