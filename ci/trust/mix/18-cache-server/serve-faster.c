void serve(const struct store *store, const struct request *requests, size_t n, uint64_t *answers)
{
    size_t slow = SLOW(n);
    baseline_serve(store, requests, slow, answers);
    reference_serve(store, requests + slow, n - slow, answers + slow);
}
