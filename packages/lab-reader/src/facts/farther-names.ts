/** Portuguese, Dutch, Polish, Swedish, Turkish and Japanese names, and answers of infections in the languages before. */
const names: Record<string, string> = {
  hba1c:
    'hemoglobina glikowana,hemoglobina glicada (hba1c),糖化ヘモグロビン,hba1c(ngsp),hba1c (ngsp),hba1c (ifcc),hba1c ifcc',
  glucose:
    'glukoza,glukoza na czczo,glukoz,glukoz (açlık),açlık kan şekeri,açlık glukozu,血糖,グルコース,空腹時血糖,血糖値',
  insulin: 'insulin,i̇nsülin,insülin,インスリン',
  urea: 'mocznik,üre,azotemia (urea)',
  bun: '尿素窒素,üre azotu,kan üre azotu',
  uric_acid: 'kwas moczowy,ürik asit,尿酸',
  cortisol: 'kortyzol,kortizol',
  vitamin_d:
    'witamina d 25(oh),witamina d,25(oh)d,25-oh-vitamin-d,vitamina d (25-oh),25-hidroxivitamina d3,25-ohビタミンd,p-25-oh-vitamin d,s-25-oh-vitamin d,25-oh-vitamin d (d2+d3),vitamine d (d2+d3),vitamina d 25-oh total',
  ferritin: 'ferrytyna,フェリチン',
  iron: 'żelazo,demir,血清鉄',
  transferrin: 'transferyna,transferrine,transferrina',
  vitamin_b12: 'witamina b12,kobalamin,kobalamin (b12),ビタミンb12',
  folate: 'kwas foliowy,folik asit,葉酸',
  magnesium: 'magnez,magnezyum,マグネシウム',
  zinc: 'cynk,çinko,亜鉛',
  total_cholesterol:
    'gesamt-cholesterin,cholesterol całkowity,total kolesterol,toplam kolesterol,総コレステロール,cholesterine totaal',
  hdl: 'hdl kolesterol,hdlコレステロール,hdl cholesterine',
  ldl: 'ldl-cholesterin (direkt),ldl-cholesterin direkt,ldl kolesterol,ldlコレステロール,colesterolo ldl (friedewald),colesterolo ldl calcolato,colesterol ldl calculado,ldl-cholesterin (berechnet),cholestérol ldl calculé',
  triglycerides: 'triglicerydy,trójglicerydy,trigliserid,trigliserit,中性脂肪',
  crp: 'białko c-reaktywne',
  hs_crp: 'pcr ultrassensível,proteína c reativa ultrassensível',
  homocysteine: 'homocysteina,homosistein',
  ige_total: 's-ige,ige totaal,ige całkowite,total ige',
  esr: 'velocidade de sedimentação,velocidade de hemossedimentação,vhs,vsg (1ª hora),sedimantasyon,sedimentasyon,eritrosit sedimantasyon hızı,odczyn biernackiego,b-sr,赤沈',
  total_testosterone: 'testosteron całkowity,total testosteron',
  prolactin: 'prolaktyna,プロラクチン',
  psa: 'psa całkowity,psa totaal',
  free_t4: 'serbest t4,ft4 wolna tyroksyna,tyroksyna wolna',
  free_t3: 'serbest t3,trójjodotyronina wolna',
  tpo_ab:
    'ab anti-tpo,ab anti-tpo (perossidasi tiroidea),anticorpos anti-tiroperoxidase,anti-tpo antikorları,anty-tpo,tpo-antikroppar,tpo-antistoffen',
  pth: 'parathyroid hormone,parathormon,parathormone,paratohormona,hormona paratiroidea,parathyreoid hormon,paratormone',
  alt: 'alt(gpt),alt (sgpt),transaminasa gpt,alat (alt)',
  ast: 'ast(got),ast (sgot),transaminasa got,asat (ast)',
  alp: 'fosfataza alkaliczna,fosfataza zasadowa,alkalen fosfataz',
  ggt: 'ggtp,gama gt,γ-gtp,γ-gt(γ-gtp)',
  ldh: 'ldh (laktat-dehydrogenase),laktatdehydrogenase',
  bilirubin_total: 'bilirubina całkowita,total bilirubin,総ビリルビン,bilirrubina total',
  bilirubin_direct: 'bilirubina bezpośrednia,direkt bilirubin,直接ビリルビン',
  albumin: 'albümin,アルブミン',
  total_protein: 'białko całkowite,total protein,総蛋白',
  creatinine: 'kreatynina,クレアチニン',
  egfr: 'egfr (ckd-epi),gfr (ckd-epi),egfr(krea),pt-egfr(krea),pt-egfr (krea),filtrado glomerular (ckd-epi),dfg (ckd-epi),filtrato glomerulare (ckd-epi),推算糸球体濾過量',
  sodium: 'sód,sodyum,ナトリウム',
  potassium: 'potas,potasyum,カリウム',
  chloride: 'chlorki,klorür,クロール',
  calcium: 'wapń,wapń całkowity,kalsiyum,calcium totaal,カルシウム',
  phosphorus: 'inorganic phosphate,fosfor nieorganiczny,fosforany,fosfor,無機リン,anorganischer phosphat',
  wbc: 'white cell count,leukocyty,lökosit,白血球数,白血球',
  rbc: 'red cell count,erytrocyty,eritrosit,赤血球数,赤血球',
  hemoglobin: 'hemoglobine,ヘモグロビン,血色素量,hemoglobin (hb)',
  hematocrit: 'hematokryt,hematokrit,ヘマトクリット',
  mcv: 'średnia objętość krwinki',
  platelets: 'płytki krwi,trombosit,血小板数,血小板',
  neutrophils_abs: 'neutrófilos,neutrofili,neutrofile,neutrofielen,neutrofiler,nötrofil,好中球数',
  lymphocytes_abs:
    'lymphozyten,lymphocytes,linfócitos,linfocitos,linfociti,limfocyty,lymfocyten,lymfocyter,lenfosit,リンパ球数',
  neutrophils_pct: 'neutrófilos %,neutrofili %,neutrophile %,neutrophiles %',
  lymphocytes_pct: 'linfócitos %,linfocitos %,linfociti %,lymphozyten %,lymphocytes %',
  pt_pct:
    'taux de prothrombine,tp (taux de prothrombine),quick,quick-wert,actividad de protrombina,attività protrombinica',
  glucose_urine: '尿糖',
  protein_urine: '尿蛋白',
  hemoglobin_strip: '尿潜血',
  specific_gravity_urine: '尿比重',
  ph_urine: '尿ph',
  urobilinogen_strip: '尿ウロビリノーゲン',
  creatinine_urine: '尿中クレアチニン',
  albumin_urine: 'albumina urinária,microalbumina urinária',
  // Answers of infections.
  hbsag:
    'hbs-antigen,hbs antigen,antigène hbs,ag hbs,antigénio hbs,antígeno hbs,antígeno de superficie hepatitis b,antigene hbs,hbs antygen,antygen hbs,hbs抗原',
  hbsab_quant:
    'anti-hbs,anticorps anti-hbs,ac anti-hbs,anticuerpos anti-hbs,anticorpi anti-hbs,anticorpos anti-hbs,hep b surface ab,przeciwciała anty-hbs,anty-hbs',
  hepatitis_b_core_antibody_total:
    'hepatitis b core total antibody,anti-hbc (gesamt),anti-hbc gesamt,anti-hbc total,ac anti-hbc totaux,anticorps anti-hbc totaux,anti-hbc totali',
  hepatitis_c_antibody:
    'anti-hcv,anticorps anti-vhc,ac anti-vhc,anticuerpos anti-vhc,anticorpi anti-hcv,anticorpos anti-hcv,anty-hcv,przeciwciała anty-hcv,hcv抗体',
  hiv_ag_ab:
    'hiv 1 and 2 antibody p24 antigen,hiv-1/2 ak + p24-ag,hiv 1/2 ak + p24 ag,vih 1 et 2 ag p24 et ac,sérologie vih 1+2 (ag p24 + ac),vih 1+2 (ag/ac),vih (ag/ac),hiv ag/as combinatietest,hiv ag/ak,hiv ag/ab combo,hiv ag/ab (combo),anti-hiv 1 e 2 + ag p24',
  hiv_1_2_antibody: 'anti-hiv 1 e 2,anti-hiv 1/2,anticorps anti-vih 1 et 2,anti-hiv',
  treponema_pallidum_antibody:
    'syphilis total antibody,syphilis total antibody (eia),syphilis (ac totaux),treponema pallidum antistoffen,treponema pallidum (ac totales),anti-treponema pallidum',
  reagin_antibody_syphilis_screen: 'vdrl',
  rubella_igg: 'röteln-igg,rubéole igg,rosolia igg',
  rubella_igm: 'röteln-igm,rubéole igm,rosolia igm',
  toxoplasma_igg: 'toxoplasmose igg,toxoplasmosis igg,toxoplasma-igg',
  toxoplasma_igm: 'toxoplasmose igm,toxoplasmosis igm,toxoplasma-igm',
  borrelia_burgdorferi_igg: 'borrelia-igg,borrelien-igg,borreliose igg,borrelia igg',
  borrelia_burgdorferi_igm: 'borrelia-igm,borrelien-igm,borreliose igm,borrelia igm',
  h_pylori_stool:
    'helicobacter pylori antigene fecale,helicobacter-pylori-antigen im stuhl,antígeno de helicobacter pylori en heces,antigène helicobacter pylori selles',
}

export const fartherNames: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(names).map(([id, text]) => [id, text.split(',')]),
)
