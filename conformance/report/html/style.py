"""The page's style: light, dark, narrow and printed. Colours keep at least 4.5 : 1 against what is behind them."""

STYLE = """
:root{--paper:#faf9f6;--card:#fff;--ink:#1d1c1a;--soft:#5f5b54;--line:#dfdbd3;--link:#1f4f8f;--mark:#fde2dc;
--pass:#19693a;--fail:#b0241b;--warn:#865100;--blocked:#8c2f55;--error:#6a35a8;--unseen:#5f5b54;--none:#77726a;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--paper:#141618;--card:#1b1e21;--ink:#e8e6e2;--soft:#a8a39a;--line:#34383d;
--link:#8fb8f0;--mark:#5a231d;--pass:#63cf92;--fail:#ff8b80;--warn:#eeb055;--blocked:#f093b8;--error:#c3a0f5;
--unseen:#a8a39a;--none:#8b867e}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0 auto;max-width:74rem;padding:2rem 1.5rem 4rem;background:var(--paper);color:var(--ink);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;overflow-wrap:anywhere}
h1,h2,h3,p,dl,ul,ol,blockquote,pre{margin:0}
h1{font-size:1.75rem;line-height:1.2;font-weight:650;letter-spacing:-.01em;margin:.15rem 0 .35rem;text-wrap:balance}
h2{font-size:1.2rem;font-weight:650;margin:2.6rem 0 .9rem}
h3{font-size:1.05rem;font-weight:650}
a{color:var(--link);text-underline-offset:.15em;text-decoration-thickness:.06em}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.way{margin-bottom:1rem;font-size:.9375rem}
.soft{color:var(--soft);font-weight:400;font-size:.875rem}
code,pre{font-family:var(--mono);font-size:.8125rem}
.v-pass{--c:var(--pass)}.v-fail,.v-xpass{--c:var(--fail)}.v-warn,.v-xfail,.v-flaky{--c:var(--warn)}
.v-blocked{--c:var(--blocked)}.v-error{--c:var(--error)}.v-not_observed{--c:var(--unseen)}
.v-not_applicable{--c:var(--none)}
.band{display:flex;gap:1.1rem;padding:1.4rem 1.5rem;background:var(--card);border:1px solid var(--line);
border-left:.5rem solid var(--c);border-radius:.5rem}
.band .glyph{font-size:2.6rem;line-height:1.1;color:var(--c);font-weight:700}
.caveat{color:var(--c);font-weight:600}
#totals{margin-top:1.5rem}
.bar{display:flex;gap:2px;height:1.1rem;border-radius:.3rem;overflow:hidden}
.bar i{min-width:.5rem}
i{background:var(--c)}
i:is(.v-fail,.v-xpass){background:repeating-linear-gradient(45deg,var(--c) 0 5px,var(--card) 5px 7px)}
i.v-blocked{background:repeating-linear-gradient(-45deg,var(--c) 0 3px,var(--card) 3px 6px)}
i.v-error{background:repeating-linear-gradient(0deg,var(--c) 0 3px,var(--card) 3px 5px)}
i:is(.v-warn,.v-xfail,.v-flaky){background:repeating-linear-gradient(90deg,var(--c) 0 6px,var(--card) 6px 8px)}
i:is(.v-not_observed,.v-not_applicable){background:transparent;border:1.5px solid var(--c)}
i.v-not_applicable{border-style:dotted}
.sum{margin-top:.6rem;font-weight:600}
.legend{display:flex;flex-wrap:wrap;gap:.15rem 1.6rem;padding:0;list-style:none;margin-top:.25rem;font-size:.9375rem}
.legend i{display:inline-block;width:.8rem;height:.8rem;border-radius:.15rem;margin-right:.45rem;vertical-align:-.05rem}
#run{margin-top:1.4rem;padding-top:1.1rem;border-top:1px solid var(--line)}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:.55rem 1.5rem;font-size:.9375rem}
dl.wide{grid-template-columns:1fr;margin-top:.55rem}
dt{color:var(--soft);font-size:.8125rem}
dd{margin:0}
.command{display:inline-block;padding:.15rem .5rem;border:1px solid var(--line);border-radius:.25rem;
background:var(--card);user-select:all;white-space:pre-wrap}
.command span{display:inline-block}
.finding{margin-top:1.1rem;padding:1.2rem 1.4rem;background:var(--card);border:1px solid var(--line);
border-left:.35rem solid var(--c);border-radius:.5rem}
.finding>*+*{margin-top:.8rem}
.tag{color:var(--c);font-weight:650;white-space:nowrap}
blockquote{padding-left:.9rem;border-left:2px solid var(--line);font-style:italic}
.saw{font-weight:600;font-size:1.0625rem}
.call{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.5rem 1rem}
.call p{font-size:.9375rem;margin-bottom:.3rem}
.out{color:var(--link);font-weight:700}.in{color:var(--blocked);font-weight:700}
pre{padding:.6rem .75rem;border:1px solid var(--line);border-radius:.3rem;background:var(--paper);white-space:pre-wrap;
line-height:1.45;overflow:hidden}
.k{color:var(--link)}.s{color:var(--pass)}.n{color:var(--warn)}.c{color:var(--soft);font-style:italic}
mark{background:var(--mark);color:inherit;border-radius:.15rem;padding:.05rem .1rem}
mark span{color:var(--ink);font-weight:600}
pre b{color:var(--fail)}
.minus{color:var(--pass)}.plus{color:var(--fail)}
.diff{border-collapse:collapse;width:100%}
.diff :is(td,th){padding:.3rem .6rem;border:1px solid var(--line);vertical-align:top;text-align:left}
.diff th{font-size:.8125rem;color:var(--soft);font-weight:600}
summary{cursor:pointer;width:fit-content}
summary h2{display:inline}
details>ul,details>ol,details>table{margin-top:.7rem}
section>details{margin-top:2rem}
.aside>details{margin-top:.9rem}section:not(.aside)+.aside{margin-top:2rem}
.aside h2{font-size:1rem}.aside+section:not(.aside) h2:first-child{margin-top:2.6rem}
ul,ol{padding-left:1.3rem}
.talk{list-style:none;padding:0;display:grid;gap:.45rem}
.talk li{padding-left:.6rem;border-left:3px solid var(--line)}
.talk li.evident{border-left-color:var(--fail)}
.talk div{display:grid;grid-template-columns:6.2rem 1.2rem minmax(0,1fr) auto;gap:.2rem;align-items:baseline}
.when{color:var(--soft);font-size:.8125rem;font-variant-numeric:tabular-nums;text-align:right;padding-right:.5rem}
.choice{display:flex;flex-wrap:wrap;gap:.4rem;margin-bottom:1rem}
.choice input{position:absolute;opacity:0;pointer-events:none}
.choice span{display:inline-block;padding:.2rem .7rem;border:1px solid var(--line);border-radius:1rem;
background:var(--card);font-size:.875rem;cursor:pointer}
.choice :checked+span{background:var(--ink);color:var(--paper);border-color:var(--ink)}
.choice :focus-visible+span{outline:2px solid var(--link);outline-offset:2px}
.rows{border-collapse:collapse;width:100%;font-size:.9375rem}
.rows :is(td,th){padding:.45rem .7rem .45rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
.rows thead th{white-space:nowrap;font-size:.8125rem;color:var(--soft);font-weight:600}
.rows .head th{padding-top:1.4rem;font-weight:650;border-bottom-color:var(--soft)}
.rows .row>th{white-space:nowrap;font-weight:500}
.rows td:last-child{text-align:right;padding-right:.2rem;font-variant-numeric:tabular-nums;white-space:nowrap}
.rows thead th:last-child{text-align:right}
.rows .row:target>*{background:var(--mark)}
.finding:target{outline:2px solid var(--link)}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.875rem}
@media(max-width:62rem){.rows .row>th{white-space:normal;min-width:11rem}}
@media(max-width:46rem){body{padding:1rem 1rem 3rem}h1{font-size:1.35rem}.band{padding:1rem;gap:.7rem}
.band .glyph{font-size:1.8rem}.finding{padding:.9rem}.call{grid-template-columns:minmax(0,1fr)}.rows thead{display:none}
.rows,.rows tbody,.rows .head,.rows .head th{display:block}
.rows .row{display:grid;grid-template-columns:auto 1fr auto;border-bottom:1px solid var(--line);padding:.5rem 0}
.rows .row>*{border:0;padding:0 .6rem 0 0}.rows .row>:nth-child(3){grid-column:1/-1;grid-row:2}
.rows .row>th{white-space:normal}.talk div{grid-template-columns:4.6rem 1.1rem minmax(0,1fr)}
.talk div .soft{display:none}}
@media print{:root{--paper:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--link:#000;--mark:#e6e6e6;
--pass:#19693a;--fail:#a01a12;--warn:#704400;--blocked:#7a2448;--error:#55288c;--unseen:#444;--none:#555}
html{font-size:68%}body{max-width:none;padding:0}.choice{display:none}.rows .row>th{white-space:normal;width:19rem}
a{text-decoration:none}.row,.call>div,.band,#totals,.talk li{break-inside:avoid}
h2,h3,blockquote,.head{break-after:avoid}
i{print-color-adjust:exact}mark{print-color-adjust:exact;outline:1px solid #000}
details::details-content{content-visibility:visible;height:auto;display:block}summary{list-style:none}}
"""
