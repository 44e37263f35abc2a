import type { ComponentProps } from 'react'
import { ResultList } from '../../components/result-list.tsx'

type Props<Result> = Omit<ComponentProps<typeof ResultList<Result>>, 'states' | 'empty'>

/** Results that could not be assessed, critical first: open or closed. */
export function UnassessedList<Result>(props: Props<Result>) {
  return (
    <ResultList
      {...props}
      states={[
        { value: 'open', label: 'Open' },
        { value: 'closed', label: 'Closed' },
      ]}
      empty={{
        title: 'Nothing to follow up',
        text: 'Results that were received and could not be assessed are listed here.',
      }}
    />
  )
}
