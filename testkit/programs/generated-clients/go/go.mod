module login

go 1.23

require example.com/countersign/client v0.0.0

replace example.com/countersign/client => ./client
