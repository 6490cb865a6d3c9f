Creator "The Warpscope authors"
Comment "Two sites and one link of 10 Mbit/s: with Poisson arrivals an M/G/1 queue"
graph [
  name "Bottleneck"
  directed 0
  node [ id 0 label "A" lat 50.0 lon 8.0 ]
  node [ id 1 label "B" lat 50.0 lon 9.0 ]
  edge [ source 0 target 1 capacity 10000000 ]
]
