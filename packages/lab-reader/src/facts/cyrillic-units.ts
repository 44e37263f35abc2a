/** Units in Cyrillic letters, in Russian, Ukrainian, Bulgarian and Serbian. "мЕ" is written for thousandths of units and for units alike. */
const cyrillic = new Map(
  Object.entries({
    ...{ г: 'g', мг: 'mg', мкг: 'ug', нг: 'ng', пг: 'pg', л: 'l', дл: 'dl', мл: 'ml', мкл: 'ul', нл: 'nl', фл: 'fl' },
    ...{ моль: 'mol', ммоль: 'mmol', мкмоль: 'umol', нмоль: 'nmol', пмоль: 'pmol', мол: 'mol', ммол: 'mmol' },
    ...{ мкмол: 'umol', нмол: 'nmol', пмол: 'pmol', мэкв: 'meq', мекв: 'meq', мккат: 'ukat', мин: 'min', хв: 'min' },
    ...{ Ед: 'u', ед: 'u', ЕД: 'u', Од: 'u', од: 'u', ОД: 'u', мЕд: 'mu', мед: 'mu', мкЕд: 'uu', мкед: 'uu' },
    ...{ мОд: 'mu', мод: 'mu', мкОд: 'uu' },
    ...{ МЕ: 'iu', мМЕ: 'miu', мкМЕ: 'uiu', МО: 'iu', мМО: 'miu', мкМО: 'uiu', кЕд: 'ku', кМЕ: 'kiu', IU: 'iu' },
    ...{
      тыс: 'tys',
      тис: 'tys',
      хил: 'tys',
      млн: 'mln',
      мм: 'mm',
      м: 'm',
      ч: 'h',
      час: 'h',
      год: 'h',
      с: 's',
      сек: 's',
    },
    ...{ х: 'x', е: 'e', кл: 'cells', клеток: 'cells', клітин: 'cells' },
  }),
)

export const inLatin = (unit: string): string =>
  /\p{Script=Cyrillic}/u.test(unit)
    ? unit
        .replace(/(?<=[а-яіїєґ])\.(?=[\s/а-яіїєґ]|$)/giu, '')
        .replace(/(тыс|тис|млн)\s*кл(?=\/)/iu, '$1')
        .replace(/[\p{Script=Cyrillic}]+/gu, (word) => cyrillic.get(word) ?? word)
    : unit
