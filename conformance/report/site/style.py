"""What the pages of a site add to the common style."""

SITE = """
.lead{max-width:46rem;margin-top:.4rem;color:var(--soft)}
.way a+a{margin-left:1.1rem}
.ask{padding:1.15rem 0 1.2rem;border-top:1px solid var(--line);scroll-margin-top:1rem}
h2+.ask{border-top:0;padding-top:.2rem}
.ask:target{background:linear-gradient(90deg,var(--mark),transparent 60%);box-shadow:-.8rem 0 0 var(--mark)}
.ask h3 a{color:inherit;text-decoration:none}.ask h3 a:hover{text-decoration:underline}
.ask .says{max-width:52rem;font-size:1.0625rem;margin:.15rem 0 .65rem}
.ask dl{grid-template-columns:13rem minmax(0,1fr);gap:.3rem 1rem;max-width:62rem}
.ask dl>div{display:contents}.ask dt{padding-top:.12rem}
.ask dd .command{margin-top:.3rem}
.level{display:inline-block;margin-left:.35rem;padding:0 .45rem;border:1px solid var(--line);border-radius:1rem;
color:var(--soft);font-size:.75rem;font-weight:600;letter-spacing:.02em;vertical-align:.08rem}
.level.MUST{color:var(--ink);border-color:var(--soft)}
.judged{margin-top:2.2rem}
.within{grid-template-columns:minmax(0,1fr);gap:.7rem}
.within ul{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;padding:0;list-style:none}
.list{border-collapse:collapse;width:100%;font-size:.9375rem}
.list caption{text-align:left;color:var(--soft);font-size:.875rem;padding-bottom:.5rem}
.list :is(td,th){padding:.6rem 1.2rem .6rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
.list thead th{font-size:.8125rem;color:var(--soft);font-weight:600;white-space:nowrap}
.list tbody th{font-weight:600}.list .whole{white-space:nowrap}
.list :is(td,th).number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.list .when{text-align:left;white-space:nowrap}
.list p.soft{max-width:38rem}
@media(max-width:46rem){.ask dl{grid-template-columns:minmax(0,1fr);gap:0}.ask dd{margin-bottom:.5rem}
.list thead{display:none}.list,.list tbody,.list tr,.list :is(td,th){display:block}.list caption{display:block}
.list tr{padding:.6rem 0;border-bottom:1px solid var(--line)}.list :is(td,th){border:0;padding:.1rem 0}
.list :is(td,th).number{text-align:left}.list td[data-name]::before{content:attr(data-name) ": ";color:var(--soft)}}
@media print{.way{display:none}.ask{break-inside:avoid}.ask:target{background:none;box-shadow:none}}
"""
